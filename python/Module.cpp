//===- Module.cpp - The search library for Python -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spaces, and studies that are asked and told. baco/__init__.py makes what
// people use of it. Errors of the library become ValueError where the caller
// made a mistake, and RuntimeError elsewhere.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Files.h"
#include "baco/Format/Scenario.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/SourceKernel/KernelEvaluator.h"
#include "baco/Study/AskTell.h"

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>

namespace py = pybind11;
using namespace baco;
using study::AskTell;

/// The value of a result; throws its error.
template <typename T>
static T valueOf(Result<T> result) {
  if (result)
    return std::move(*result);
  if (result.error().code == ErrorCode::InvalidArgument ||
      result.error().code == ErrorCode::Corrupt ||
      result.error().code == ErrorCode::NotFound)
    throw py::value_error(result.error().message);
  throw std::runtime_error(result.error().message);
}

static void check(const Result<void> &result) {
  if (!result)
    valueOf(Result<bool>(result.error()));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static py::object toPython(const ParameterValue &value) {
  if (const auto *order = std::get_if<Permutation>(&value))
    return py::tuple(py::cast(*order));
  return std::visit(
      [](const auto &known) -> py::object { return py::cast(known); }, value);
}

static ParameterValue fromPython(const py::handle &object) {
  // A bool is an int, too.
  if (py::isinstance<py::bool_>(object))
    return object.cast<bool>();
  if (py::isinstance<py::int_>(object))
    return object.cast<int64_t>();
  if (py::isinstance<py::float_>(object))
    return object.cast<double>();
  if (py::isinstance<py::str>(object))
    return object.cast<std::string>();
  if (py::isinstance<py::sequence>(object))
    return object.cast<Permutation>();
  throw py::type_error("a value is a bool, an int, a float, a str, or a "
                       "sequence of int for an order");
}

static std::vector<ParameterValue> fromPythonList(const py::sequence &objects) {
  std::vector<ParameterValue> values;
  for (const py::handle &object : objects)
    values.push_back(fromPython(object));
  return values;
}

static py::dict toDict(const Space &space, const Configuration &configuration) {
  py::dict dict;
  for (size_t i = 0; i < configuration.size(); ++i)
    dict[py::str(space.parameters()[i].name())] = toPython(configuration[i]);
  return dict;
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

static Parameter withDefault(Parameter parameter, const py::object &initial) {
  if (!initial.is_none()) {
    ParameterValue value = fromPython(initial);
    if (!parameter.contains(value))
      throw py::value_error("the default of '" + parameter.name() +
                            "' is none of its values: " + toString(value));
    parameter.defaultValue = value;
  }
  return parameter;
}

static Space makeSpace(std::vector<Parameter> parameters,
                       const std::vector<std::string> &constraints) {
  std::vector<Constraint> parsed;
  for (const std::string &text : constraints)
    parsed.push_back({valueOf(Expression::parse(text)), "", ""});
  return valueOf(Space::create(std::move(parameters), std::move(parsed)));
}

static Space readSpaceFile(const std::string &path) {
  return valueOf(readAnySpace(valueOf(database::readFile(path)), path));
}

static void defineSpaces(py::module_ &module) {
  py::class_<Parameter>(module, "Parameter")
      .def_property_readonly("name", &Parameter::name);
  module.def(
      "real",
      [](const std::string &name, double lower, double upper, bool log,
         const py::object &initial) {
        return withDefault(valueOf(Parameter::real(name, lower, upper, log)),
                           initial);
      },
      py::arg("name"), py::arg("lower"), py::arg("upper"),
      py::arg("log") = false, py::arg("default") = py::none());
  module.def(
      "integer",
      [](const std::string &name, int64_t lower, int64_t upper, int64_t step,
         bool log, const py::object &initial) {
        return withDefault(
            valueOf(Parameter::integer(name, lower, upper, step, log)),
            initial);
      },
      py::arg("name"), py::arg("lower"), py::arg("upper"), py::arg("step") = 1,
      py::arg("log") = false, py::arg("default") = py::none());
  module.def(
      "ordinal",
      [](const std::string &name, const py::sequence &values, bool log,
         const py::object &initial) {
        return withDefault(
            valueOf(Parameter::ordinal(name, fromPythonList(values), log)),
            initial);
      },
      py::arg("name"), py::arg("values"), py::arg("log") = false,
      py::arg("default") = py::none());
  module.def(
      "categorical",
      [](const std::string &name, const py::sequence &values,
         const py::object &initial) {
        return withDefault(
            valueOf(Parameter::categorical(name, fromPythonList(values))),
            initial);
      },
      py::arg("name"), py::arg("values"), py::arg("default") = py::none());
  module.def(
      "boolean",
      [](const std::string &name, const py::object &initial) {
        return withDefault(valueOf(Parameter::boolean(name)), initial);
      },
      py::arg("name"), py::arg("default") = py::none());
  module.def(
      "permutation",
      [](const std::string &name, int size, const py::object &initial) {
        return withDefault(valueOf(Parameter::permutation(name, size)),
                           initial);
      },
      py::arg("name"), py::arg("size"), py::arg("default") = py::none());
  py::class_<Space>(module, "Space")
      .def(py::init(&makeSpace), py::arg("parameters"),
           py::arg("constraints") = std::vector<std::string>())
      .def_static("read", &readSpaceFile, py::arg("path"))
      .def_static(
          "parse",
          [](const std::string &json) { return valueOf(readAnySpace(json)); },
          py::arg("json"))
      .def_property_readonly("names",
                             [](const Space &space) {
                               std::vector<std::string> names;
                               for (const Parameter &p : space.parameters())
                                 names.push_back(p.name());
                               return names;
                             })
      // A number of any size.
      .def_property_readonly(
          "count",
          [](const Space &space) { return py::int_(py::str(space.count())); })
      .def("to_json", [](const Space &space) {
        return valueOf(writeSpace(space, /*withLocations=*/false));
      });
}

//===----------------------------------------------------------------------===//
// Studies
//===----------------------------------------------------------------------===//

namespace {
/// A study. Python keeps what the search has made.
class Study {
public:
  Study(const Space &space, const study::AskTellOptions &options)
      : study(valueOf(AskTell::open(space, options))) {}

  py::object ask() {
    std::optional<AskTell::Asked> asked;
    {
      // A suggestion takes milliseconds, and calls nothing of Python.
      py::gil_scoped_release release;
      asked = valueOf(study.ask());
    }
    if (!asked)
      return py::none();
    return py::make_tuple(asked->trial,
                          toDict(study.space(), asked->configuration));
  }

  /// `results` is a number, those of all objectives, or a dict by their names.
  void tell(uint64_t trial, const py::object &results) {
    std::vector<double> values;
    if (py::isinstance<py::dict>(results)) {
      auto named = results.cast<py::dict>();
      for (const std::string &name : study.objectives().names()) {
        if (!named.contains(name))
          throw py::value_error("the results have no '" + name + "'");
        values.push_back(named[py::str(name)].cast<double>());
      }
    } else if (py::isinstance<py::sequence>(results)) {
      values = results.cast<std::vector<double>>();
    } else {
      values.push_back(results.cast<double>());
    }
    py::gil_scoped_release release;
    check(study.tell(trial, values));
  }

  void tellFailure(uint64_t trial, const std::string &kind,
                   const std::string &message) {
    std::optional<Status> status = parseStatus(kind);
    if (!status)
      throw py::value_error("'" + kind + "' is no kind of failure");
    py::gil_scoped_release release;
    check(study.tellFailure(trial, *status, message));
  }

  void giveBack(uint64_t trial) { check(study.giveBack(trial)); }

  /// Number, configuration, result (None unless it works), status, message.
  py::tuple trial(uint64_t number) const {
    if (number >= study.trials().size())
      throw py::index_error("there is no such trial");
    const database::Trial &known = study.trials()[number];
    const Outcome *outcome = known.result();
    py::object result = py::none(), status = py::none();
    if (known.works())
      result = resultOf(*known.outcome);
    if (outcome)
      status = py::str(std::string(statusName(outcome->status)));
    return py::make_tuple(
        number, toDict(study.space(), study.configurationOf(number)), result,
        status,
        // Of one that works, it has the unit.
        py::str(outcome && !known.works() ? outcome->message : std::string()));
  }

  /// The trials of the Pareto front.
  std::vector<size_t> front() const {
    return study.objectives().front(study.trials());
  }

  size_t size() const { return study.trials().size(); }
  std::optional<uint64_t> best() const { return study.best(); }

private:
  /// A number, or a dict if there are several.
  static py::object resultOf(const Outcome &outcome) {
    if (outcome.metrics.empty())
      return py::float_(outcome.timeNs);
    py::dict results;
    for (const Metric &metric : outcome.metrics)
      results[py::str(metric.name)] = metric.value;
    return results;
  }

  AskTell study;
};
} // namespace

/// The trials of a study: rows of configuration, result, status.
static py::list readTrials(const std::string &path, const std::string &name) {
  database::Journal journal = valueOf(database::Journal::openReadOnly(path));
  std::optional<database::StudyInfo> found;
  for (database::StudyInfo &info : valueOf(journal.studies()))
    if (name.empty() || database::isCalled(info, name)) {
      if (found)
        throw py::value_error("'" + path +
                              "' has several studies; name one of them");
      found = std::move(info);
    }
  if (!found)
    throw py::value_error("'" + path + "' has no study '" + name + "'");
  Space space = valueOf(readSpace(found->space));
  py::list rows;
  for (const database::Trial &trial : valueOf(journal.trials(found->key))) {
    if (!trial.outcome)
      continue;
    double result = trial.works() ? trial.outcome->timeNs : std::nan("");
    rows.append(py::make_tuple(
        toDict(space, valueOf(readConfiguration(space, trial.configuration))),
        result, std::string(statusName(trial.result()->status))));
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static Configuration toConfiguration(const Space &space, const py::dict &dict) {
  Configuration configuration;
  for (const Parameter &parameter : space.parameters()) {
    if (!dict.contains(parameter.name()))
      throw py::value_error("there is no value of '" + parameter.name() + "'");
    configuration.push_back(fromPython(dict[py::str(parameter.name())]));
    if (!parameter.contains(configuration.back()))
      throw py::value_error("'" + parameter.name() + "' can't be " +
                            toString(configuration.back()));
  }
  return configuration;
}

/// NumPy's code for elements, as memoryview has it.
static const char *formatOf(KernelScalar type) {
  static constexpr const char *formats[] = {"b", "B", "h", "H", "i", "I",
                                            "q", "Q", "e", "f", "d"};
  return formats[static_cast<size_t>(type)];
}

namespace {
/// A kernel that is built and run for configurations.
class Kernel {
public:
  Kernel(const Space &space, KernelTask task, kernels::KernelOptions options,
         const py::object &reference)
      : space(space) {
    if (!reference.is_none())
      options.reference = [&](std::span<std::span<std::byte>> contents) {
        py::list views;
        size_t next = 0;
        for (const KernelArgument &argument : task.arguments)
          if (argument.kind == KernelArgument::Kind::Buffer) {
            std::span<std::byte> bytes = contents[next++];
            auto size = static_cast<py::ssize_t>(sizeOf(argument.type));
            views.append(py::memoryview::from_buffer(
                static_cast<void *>(bytes.data()), size,
                formatOf(argument.type),
                {static_cast<py::ssize_t>(bytes.size()) / size}, {size}));
          }
        reference(*views);
        // The memory is freed soon.
        for (const py::handle &view : views)
          view.attr("release")();
      };
    evaluator = valueOf(kernels::KernelEvaluator::create(space, task, options));
  }

  /// Status, message, and nanoseconds.
  py::tuple measure(const py::dict &values) {
    Configuration configuration = toConfiguration(space, values);
    std::optional<Outcome> outcome;
    {
      py::gil_scoped_release release;
      outcome = valueOf(evaluator->measure(configuration)).outcome;
    }
    return py::make_tuple(std::string(statusName(outcome->status)),
                          outcome->message, outcome->timeNs);
  }

  const std::string &device() const { return evaluator->device(); }
  std::string fingerprint() const { return evaluator->fingerprint(); }
  bool checksResults() const { return evaluator->checksResults(); }

private:
  Space space;
  std::unique_ptr<kernels::KernelEvaluator> evaluator;
};
} // namespace

static std::unique_ptr<Kernel>
openKernel(const Space &space, bool isCuda, const std::string &text,
           const std::string &file, const py::dict &constants,
           const std::string &platform, const std::string &device,
           const std::string &library, const std::string &compilerLibrary,
           uint64_t seed, uint64_t repeat, int64_t buildTimeoutMs,
           int64_t runTimeoutMs, const py::object &reference) {
  KernelTask task = valueOf(readKernelTask(text, file));
  for (const auto &[name, value] : constants)
    task.setConstant(name.cast<std::string>(), fromPython(value));
  if (!platform.empty())
    task.platform = platform;
  if (!device.empty())
    task.device = device;
  if (buildTimeoutMs < 1 || runTimeoutMs < 1)
    throw py::value_error("a time-out is at least 1 ms");
  kernels::KernelOptions options;
  options.api = isCuda ? kernels::KernelApi::Cuda : kernels::KernelApi::OpenCl;
  options.library = library;
  options.compilerLibrary = compilerLibrary;
  options.seed = seed;
  options.repeat = repeat;
  options.buildTimeoutMs = buildTimeoutMs;
  options.runTimeoutMs = runTimeoutMs;
  return std::make_unique<Kernel>(space, std::move(task), std::move(options),
                                  reference);
}

static void defineKernels(py::module &module) {
  py::class_<Kernel>(module, "Kernel")
      .def(py::init(&openKernel))
      .def("measure", &Kernel::measure)
      .def_property_readonly("device", &Kernel::device)
      .def_property_readonly("fingerprint", &Kernel::fingerprint)
      .def_property_readonly("checks_results", &Kernel::checksResults);
}

PYBIND11_MODULE(_baco, module) {
  module.attr("version") = BACO_VERSION_STRING;
  defineSpaces(module);
  defineKernels(module);
  py::class_<Study>(module, "Study")
      .def(
          py::init([](const Space &space, const std::string &optimizer,
                      uint64_t seed, const std::string &database,
                      const std::string &name, const std::string &subject,
                      const std::string &objectives, const std::string &order) {
            study::AskTellOptions options;
            options.optimizer = optimizer;
            options.seed = seed;
            options.database = database;
            options.name = name;
            options.subject = subject;
            if (objectives.empty() && !order.empty())
              throw py::value_error("an order is for objectives");
            if (!objectives.empty())
              options.objectives =
                  valueOf(study::Objectives::parse(objectives, order));
            return std::make_unique<Study>(space, options);
          }),
          py::arg("space"), py::arg("optimizer"), py::arg("seed"),
          py::arg("database"), py::arg("name"), py::arg("subject"),
          py::arg("objectives"), py::arg("order"))
      .def("ask", &Study::ask)
      .def("tell", &Study::tell)
      .def("tell_failure", &Study::tellFailure)
      .def("give_back", &Study::giveBack)
      .def("trial", &Study::trial)
      .def("best", &Study::best)
      .def("front", &Study::front)
      .def("__len__", &Study::size);
  module.def("read_trials", &readTrials, py::arg("path"), py::arg("study"));
}
