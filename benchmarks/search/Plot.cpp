//===- Plot.cpp - A drawing of the results --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SVG, written by hand: a frame with lines, a curve and a legend entry for each
// technique.
//
//===----------------------------------------------------------------------===//

#include "Plot.h"

#include <algorithm>
#include <cmath>
#include <ostream>

using namespace baco;
using namespace baco::bench;

/// Sizes in pixels.
static constexpr double left = 60, top = 20, width = 640, height = 420;
static constexpr double legendWidth = 180, lineHeight = 18;

/// The excess over the least time at the lower end of the scale.
static constexpr double minExcess = 0.01;

namespace {

/// Where evaluations and ratios lie in the drawing.
class Scale {
public:
  Scale(size_t budget, double largestRatio)
      : budget(double(budget)),
        decades(std::log10(std::max(largestRatio - 1, 10 * minExcess) /
                           minExcess)) {}

  double x(size_t evaluations) const {
    return left + width * double(evaluations) / budget;
  }
  double y(double ratio) const {
    double excess = std::max(ratio - 1, minExcess);
    return top + height * (1 - std::log10(excess / minExcess) / decades);
  }

private:
  double budget, decades;
};

} // namespace

/// A color of its own for each of `count`: hues around the circle, darker and
/// lighter by turns.
static std::string color(size_t index, size_t count) {
  return "hsl(" + std::to_string(360 * index / count) + ",75%," +
         (index % 2 ? "35%" : "55%") + ")";
}

static std::vector<double> meanRatios(const Experiment &experiment,
                                      size_t technique) {
  std::vector<double> means;
  for (size_t k = 1; k <= experiment.options.budget; ++k)
    means.push_back(ratioScore(experiment, technique, k).mean);
  return means;
}

static void writeText(std::ostream &out, double x, double y, const char *anchor,
                      std::string_view text) {
  out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
      << "\">" << text << "</text>\n";
}

static void writeFrame(std::ostream &out, const Scale &scale, size_t budget,
                       double largestRatio) {
  out << "<rect x=\"" << left << "\" y=\"" << top << "\" width=\"" << width
      << "\" height=\"" << height << "\" fill=\"none\" stroke=\"black\"/>\n";
  constexpr double bottom = top + height;
  for (size_t i = 0; i <= 6; ++i)
    writeText(out, scale.x(budget * i / 6), bottom + lineHeight, "middle",
              std::to_string(budget * i / 6));
  writeText(out, left + width / 2, bottom + 2 * lineHeight, "middle",
            "evaluations");
  for (const char *ratio : {"1.01", "1.02", "1.05", "1.1", "1.2", "1.5", "2",
                            "3", "6", "11", "21", "51", "101"}) {
    double value = std::atof(ratio);
    if (value > largestRatio)
      break;
    double y = scale.y(value);
    out << "<path d=\"M" << left << ' ' << y << 'h' << width
        << "\" stroke=\"#ddd\"/>\n";
    writeText(out, left - 6, y + 4, "end", ratio);
  }
}

static void writeCurve(std::ostream &out, const Scale &scale,
                       const std::vector<double> &ratios,
                       const std::string &stroke) {
  out << "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" << stroke
      << "\" points=\"";
  for (size_t k = 0; k < ratios.size(); ++k)
    out << (k ? " " : "") << scale.x(k + 1) << ',' << scale.y(ratios[k]);
  out << "\"/>\n";
}

void bench::writePlot(std::ostream &out, const Experiment &experiment) {
  size_t count = experiment.techniques.size();
  std::vector<std::vector<double>> curves;
  double largest = 1;
  for (size_t t = 0; t < count; ++t) {
    curves.push_back(meanRatios(experiment, t));
    largest = std::max(largest, curves.back().front());
  }
  double totalHeight =
      top + std::max(height + 3 * lineHeight, lineHeight * double(count + 1));
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
      << left + width + legendWidth << "\" height=\"" << totalHeight
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  Scale scale(experiment.options.budget, largest);
  writeFrame(out, scale, experiment.options.budget, largest);
  for (size_t t = 0; t < count; ++t) {
    std::string stroke = color(t, count);
    writeCurve(out, scale, curves[t], stroke);
    double x = left + width + 10, y = top + lineHeight * double(t + 1);
    out << "<path d=\"M" << x << ' ' << y - 4
        << "h20\" stroke-width=\"3\" stroke=\"" << stroke << "\"/>\n";
    writeText(out, x + 26, y, "start", experiment.techniques[t].name);
  }
  out << "</svg>\n";
}
