//===- Atf.h - Spaces in the words of ATF -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tuning parameters as Rasch, Haidl and Gorlatch write them ("ATF: A Generic
// Auto-Tuning Framework", HPCC 2017, section II): a name, a range (interval
// with step and generator, or set), and constraints that may read other
// parameters. Listing 2 of the paper becomes:
//
//   auto WPT = atf::tp("WPT", atf::interval<size_t>(1, N), atf::divides(N));
//   auto LS = atf::tp("LS", atf::interval<size_t>(1, N),
//                     atf::divides(N / WPT));
//   Result<Space> space = atf::space(WPT, LS);
//
// Constraints become expressions of the language, which knows how to
// enumerate them. Parameters needn't be grouped by hand, nor be declared before
// they are read.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPACE_ATF_H
#define BACO_SPACE_ATF_H

#include "baco/Space/AtfRange.h"
#include "baco/Space/AtfTerm.h"
#include "baco/Space/Space.h"

#include <algorithm>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <tuple>
#include <type_traits>

namespace baco::atf {

namespace detail {

/// One value of a range. A class without names is refused before.
template <typename T>
ParameterValue toValue(const T &value,
                       const std::function<std::string(const T &)> &nameOf) {
  if (nameOf)
    return nameOf(value);
  if constexpr (std::same_as<T, bool>)
    return value;
  else if constexpr (std::integral<T>)
    return static_cast<int64_t>(value);
  else if constexpr (std::floating_point<T>)
    return static_cast<double>(value);
  else if constexpr (std::is_enum_v<T>)
    return std::to_string(
        static_cast<int64_t>(static_cast<std::underlying_type_t<T>>(value)));
  else if constexpr (std::convertible_to<T, std::string>)
    return std::string(value);
  else
    return std::string();
}

/// Whether toValue needs names.
template <typename T>
constexpr bool needsNames = !std::is_arithmetic_v<T> && !std::is_enum_v<T> &&
                            !std::convertible_to<T, std::string>;

/// Whether a number isn't too large for an int64_t.
template <typename T>
constexpr bool fits(const T &value) {
  if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(uint64_t))
    return value <= T(INT64_MAX);
  return true;
}

/// A parameter with listed values: numbers are sorted and made unique.
Result<Parameter> listed(const std::string &name,
                         std::vector<ParameterValue> values, bool isLog);

Error invalid(const std::string &name, const std::string &problem);

} // namespace detail

/// A name, a range and constraints. Cheap to copy only if its range is small.
template <typename T>
class TuningParameter {
public:
  TuningParameter(std::string name, Range<T> range)
      : parameterName(std::move(name)), range(std::move(range)) {
    if (!this->range.uses.empty())
      addDependence();
  }

  const std::string &name() const { return parameterName; }

  /// Adds a condition.
  void add(const Alias &alias) {
    rules.push_back([alias](const std::string &name) {
      return alias(Expression::variable(name));
    });
  }
  /// Adds any callable that takes a value and says whether it is in the range.
  template <std::predicate<T> Callable>
  void add(Callable isAllowed) {
    // Copies: the space outlives the parameter.
    Range<T> values = range;
    rules.push_back(
        [values, isAllowed](const std::string &name) -> Result<Expression> {
          return Expression::call(
              "constraint", {name}, [values, isAllowed](auto arguments) {
                std::optional<T> value = find(values, arguments[0]);
                return value && isAllowed(*value);
              });
        });
  }

  /// As the search library knows it.
  Result<Parameter> parameter() const {
    if (detail::needsNames<T> && !range.nameOf)
      return detail::invalid(parameterName, "values of a class need names");
    if (!range.problem.empty())
      return detail::invalid(parameterName, range.problem);
    const Error tooLarge =
        detail::invalid(parameterName, "integers must fit signed 64 bits");
    if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      if (range.first) {
        if (!detail::fits(*range.first) || !detail::fits(*range.last) ||
            !detail::fits(*range.step))
          return tooLarge;
        return Parameter::integer(parameterName, int64_t(*range.first),
                                  int64_t(*range.last), int64_t(*range.step),
                                  range.isLog);
      }
    }
    if (!std::all_of(range.values.begin(), range.values.end(), detail::fits<T>))
      return tooLarge;
    std::vector<ParameterValue> values;
    for (const T &value : range.values)
      values.push_back(detail::toValue<T>(value, range.nameOf));
    return detail::listed(parameterName, std::move(values), range.isLog);
  }

  /// Its constraints, for a space.
  Result<std::vector<Constraint>> constraints() const {
    std::vector<Constraint> constraints;
    for (const auto &rule : rules) {
      Result<Expression> expression = rule(parameterName);
      if (!expression)
        return expression.error();
      constraints.push_back({*expression, "", "", false});
    }
    return constraints;
  }

  /// All of its values, each with its value in the search library; nothing if
  /// the range is invalid or has more than `most`.
  std::vector<std::pair<ParameterValue, T>> listValues(size_t most) const {
    std::vector<std::pair<ParameterValue, T>> list;
    Result<Parameter> known = parameter();
    if (!known || known->size() > most)
      return list;
    for (uint64_t i = 0; i < known->size(); ++i) {
      ParameterValue value = known->value(i);
      list.emplace_back(value, *find(range, value));
    }
    return list;
  }

  /// The parameter's value in a configuration of a space that has it.
  T in(const Space &space, const Configuration &configuration) const {
    std::optional<size_t> index = space.indexOf(parameterName);
    assert(index && "the space has no such parameter");
    std::optional<T> value = find(range, configuration[*index]);
    assert(value && "the configuration belongs to another space");
    return *value;
  }

private:
  /// The function of the range gives the value for those of the parameters
  /// that it uses.
  void addDependence() {
    Range<T> values = range;
    rules.push_back([values](const std::string &name) -> Result<Expression> {
      std::vector<std::string> reads = values.uses;
      reads.push_back(name);
      return Expression::call("range", reads, [values](auto arguments) {
        auto found =
            values.valuesFor.find({arguments.begin(), arguments.end() - 1});
        return found != values.valuesFor.end() &&
               std::any_of(found->second.begin(), found->second.end(),
                           [&](const T &each) {
                             return sameValue(
                                 detail::toValue<T>(each, values.nameOf),
                                 arguments.back());
                           });
      });
    });
  }

  /// The T that a value stands for.
  static std::optional<T> find(const Range<T> &range,
                               const ParameterValue &value) {
    if constexpr (std::integral<T> && !std::same_as<T, bool>)
      if (range.first)
        return static_cast<T>(std::get<int64_t>(value));
    for (const T &each : range.values)
      if (sameValue(detail::toValue<T>(each, range.nameOf), value))
        return each;
    return std::nullopt;
  }

  std::string parameterName;
  Range<T> range;
  std::vector<std::function<Result<Expression>(const std::string &name)>> rules;
};

namespace detail {

/// Calls `visit(values, a, b, ...)` for all values a, b, ... of the parameters.
template <typename Visit, typename... Done>
void forEachValues(std::vector<ParameterValue> values, const Visit &visit,
                   const std::tuple<Done...> &done) {
  std::apply([&](const Done &...each) { visit(values, each...); }, done);
}

template <typename Visit, typename... Done, typename T, typename... Rest>
void forEachValues(std::vector<ParameterValue> values, const Visit &visit,
                   const std::tuple<Done...> &done,
                   const TuningParameter<T> &next,
                   const TuningParameter<Rest> &...rest) {
  for (const auto &[value, typed] : next.listValues(maxListedValues)) {
    values.push_back(value);
    forEachValues(values, visit, std::tuple_cat(done, std::tuple<T>(typed)),
                  rest...);
    values.pop_back();
  }
}

} // namespace detail

/// An interval with a function that uses parameters before it, as ATF's may:
/// generator(begin, a, b), ... for their values a and b. The parameter then may
/// take the values that the generator gives for the present a and b.
///
///   auto LS = atf::tp("LS", atf::interval<size_t>(
///       1, 8, [](size_t i, size_t wpt) { return i * wpt; }, WPT));
///
/// All values of the function, over all values of the parameters, are listed:
/// a million at most.
template <typename T, typename Generator, typename... Before>
  requires(sizeof...(Before) > 0) && std::invocable<Generator, T, Before...>
auto interval(T begin, T end, T step, Generator generator,
              const TuningParameter<Before> &...before) {
  using Own = std::decay_t<std::invoke_result_t<Generator, T, Before...>>;
  Range<Own> range;
  range.uses = {before.name()...};
  // As without parameters, which reports errors.
  auto steps = interval(begin, end, step, std::identity());
  range.problem = steps.problem;
  double number = double(steps.values.size());
  ((number *= double(before.listValues(maxListedValues).size())), ...);
  if (range.problem.empty() && !(number <= double(maxListedValues)))
    range.problem = "a range whose function uses other parameters can have at "
                    "most a million values in total";
  if (!range.problem.empty())
    return range;
  detail::forEachValues(
      {},
      [&](const std::vector<ParameterValue> &values, const Before &...each) {
        for (const T &at : steps.values) {
          range.valuesFor[values].push_back(generator(at, each...));
          range.values.push_back(range.valuesFor[values].back());
        }
      },
      std::tuple<>(), before...);
  return range;
}

template <typename T, typename Generator, typename... Before>
  requires(sizeof...(Before) > 0) && std::invocable<Generator, T, Before...>
auto interval(T begin, T end, T step, Generator generator,
              const TuningParameter<Before> &...before);

template <typename T, typename Generator, typename... Before>
  requires(sizeof...(Before) > 0) && std::invocable<Generator, T, Before...>
auto interval(T begin, T end, Generator generator,
              const TuningParameter<Before> &...before) {
  return interval(begin, end, T(1), std::move(generator), before...);
}

/// A tuning parameter: its name, its range, and any number of constraints
/// (aliases, or callables that take a value), all of which hold.
template <typename T, typename... Constraints>
TuningParameter<T> tp(std::string name, Range<T> range,
                      const Constraints &...constraints) {
  TuningParameter<T> parameter(std::move(name), std::move(range));
  (parameter.add(constraints), ...);
  return parameter;
}

template <typename T, typename... Constraints>
TuningParameter<T> tp(std::string name, std::initializer_list<T> values,
                      const Constraints &...constraints) {
  return tp(std::move(name), set(values), constraints...);
}

/// The space of these parameters. Errors: those of the parameters' ranges and
/// of Space::create.
template <typename... Ts>
Result<Space> space(const TuningParameter<Ts> &...parameters) {
  std::vector<Parameter> domains;
  std::vector<Constraint> constraints;
  std::optional<Error> error;
  auto add = [&](const auto &parameter) {
    Result<Parameter> domain = parameter.parameter();
    Result<std::vector<Constraint>> rules = parameter.constraints();
    if (!domain || !rules) {
      if (!error)
        error = domain ? rules.error() : domain.error();
      return;
    }
    domains.push_back(std::move(*domain));
    constraints.insert(constraints.end(), rules->begin(), rules->end());
  };
  (add(parameters), ...);
  if (error)
    return *error;
  return Space::create(std::move(domains), std::move(constraints));
}

} // namespace baco::atf

#endif // BACO_SPACE_ATF_H
