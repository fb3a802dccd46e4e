// Shows the JSON of `baco report --format=json` (docs/Report.md). Names and
// messages come from others: they only ever become texts of nodes, or of plots,
// which are canvases.
(() => {
"use strict";

let report = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
// Okabe and Ito: blue, orange, green, vermillion, sky, purple, yellow.
const colors = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#f0e442"];
const [blue, orange, green, vermillion, sky, purple] = colors;

let study = report.studies[report.kernels[0].study];
// The trials that are selected, by number; null: there is no selection.
let selection = null;
let marked = null;

// ---- Numbers, as lib/Report/Units.cpp writes them

function digits(value) {
  const size = Math.abs(value);
  return value.toFixed(size === 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

function time(ns) {
  for (const [unit, scale] of [["ns", 1], ["us", 1e3], ["ms", 1e6]])
    if (Math.abs(ns) < 999.5 * scale) return digits(ns / scale) + " " + unit;
  return digits(ns / 1e9) + " s";
}

function cost(value, unit = study.unit) {
  if (value === null || value === undefined) return "-";
  if (unit === "ns") return time(value);
  return unit === "cycles" ? Math.round(value) + " cycles" : String(Number(value.toPrecision(6)));
}

const percent = (share) => digits(100 * share) + "\u00a0%";
const ratio = (value) => (value === null ? "-" : digits(value) + "x");
const duration = (s) => (s < 60 ? s.toFixed(1) + " s" : s < 3600
  ? Math.floor(s / 60) + " min " + Math.round(s % 60) + " s"
  : Math.floor(s / 3600) + " h " + Math.round((s % 3600) / 60) + " min");
const text = (value) => (typeof value === "string" ? value : JSON.stringify(value ?? null));
const nameOf = (s) => s.name + " (" + s.key.slice(0, 8) + ")";
const costName = () => (study.unit === "ns" ? "time" : study.unit === "cycles" ? "cycles" : "result");

// ---- Nodes

function make(tag, content, properties = {}) {
  const node = document.createElement(tag);
  if (content !== undefined) node.textContent = content;
  return Object.assign(node, properties);
}

/// A sortable table. Columns: {name, value(row): what it is sorted by,
/// show(row): text or node, number}.
function fillTable(box, columns, rows, order, onSort) {
  const table = make("table"), head = make("tr"), body = make("tbody");
  columns.forEach((column, index) => {
    const cell = make("th", undefined, { scope: "col", className: column.number ? "number" : "" });
    const sorted = order && order.index === index;
    cell.setAttribute("aria-sort", !sorted ? "none" : order.down ? "descending" : "ascending");
    const button = make("button", column.name, { type: "button" });
    button.onclick = () => {
      onSort({ index, down: sorted && !order.down });
      box.querySelectorAll("th button")[index].focus();
    };
    cell.append(button);
    head.append(cell);
  });
  for (const row of rows) {
    const line = make("tr");
    // The target of a link, which gets the focus.
    if (row.id) Object.assign(line, { id: row.id, tabIndex: -1 });
    if (row.marked) line.className = "marked";
    for (const column of columns) {
      const cell = make("td", undefined, { className: column.number ? "number" : "" }), shown = column.show(row);
      cell.append(shown);
      if (typeof shown === "string" && shown.length > 40) cell.title = shown;
      line.append(cell);
    }
    body.append(line);
  }
  table.append(make("thead"), body);
  table.tHead.append(head);
  box.replaceChildren(table);
}

function sortRows(rows, column, down) {
  const sign = down ? -1 : 1;
  return rows.map((row) => [column.value(row), row]).sort(([a], [b]) => {
    // What is unknown comes last in both orders.
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1
      : String(a) > String(b) ? 1 : 0);
  }).map(([, row]) => row);
}

function fillSelect(select, names) {
  select.replaceChildren(...names.map((name, index) => make("option", name, { value: index })));
}

// ---- Plots

const charts = new Map(), draws = new Map();
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) draw(entry.target.id);
}, { rootMargin: "200px" });

/// Says how to draw a plot, which happens once it is in sight. `describe` is what
/// those hear who can't see it.
function plot(id, describe, option) {
  draws.set(id, { describe, option });
  seen.unobserve($(id));
  seen.observe($(id));
}

function draw(id) {
  const waiting = draws.get(id);
  if (!waiting) return;
  draws.delete(id);
  const box = $(id);
  let chart = charts.get(id);
  if (!chart) {
    chart = echarts.init(box);
    charts.set(id, chart);
    if (handlers[id]) handlers[id](chart);
  }
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", waiting.describe);
  chart.setOption({
    animation: false, color: colors, textStyle: { color: css("--text"), fontFamily: "system-ui, sans-serif" },
    grid: { left: 12, right: 28, top: 40, bottom: 32, containLabel: true },
    tooltip: tooltipBase(),
    ...waiting.option(),
  }, { notMerge: true });
  // Dragging over the points selects.
  if (id === "scatter-plot")
    chart.dispatchAction({ type: "takeGlobalCursor", key: "brush", brushOption: { brushType: "rect", brushMode: "single" } });
}

/// Texts of others never become HTML.
const tooltipBase = () => ({ renderMode: "richText", confine: true, backgroundColor: css("--card"),
  borderColor: css("--line"), textStyle: { color: css("--text") } });

function axis(more) {
  return { axisLine: { lineStyle: { color: css("--faint") } }, axisLabel: { color: css("--text"), ...more.label },
           splitLine: { lineStyle: { color: css("--line") } }, nameTextStyle: { color: css("--faint") }, ...more };
}

/// 1, 2, 5, 10, ... from low to high.
function logTicks(low, high) {
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const digit of high / low > 200 ? [1] : [1, 2, 5]) ticks.push(digit * 10 ** power);
  return ticks.filter((tick) => tick >= low && tick <= high);
}

const isPositive = (values) => values.length > 0 && values.every((value) => value > 0);

/// An axis of costs: a logarithmic one, if they are positive, ends near them and
/// not at powers of ten.
function costAxis(values = [], isLog = false) {
  const label = { formatter: (value) => cost(value), hideOverlap: true };
  if (!isLog || !isPositive(values)) return axis({ name: costName(), scale: true, type: "value", label });
  const low = 0.95 * values.reduce((a, b) => Math.min(a, b)), high = 1.05 * values.reduce((a, b) => Math.max(a, b));
  const ticks = logTicks(low, high), customValues = ticks.length > 1 ? ticks : [low, high];
  return axis({ name: costName(), type: "log", min: low, max: high, axisTick: { customValues },
                label: { ...label, customValues } });
}

const knownTimes = () => study.trials.time_ns.filter((value) => value !== null);
const legend = (more) => ({ type: "scroll", top: 0, textStyle: { color: css("--text") },
  pageTextStyle: { color: css("--text") }, pageIconColor: css("--text"), ...more });
const short = (name) => (name.length > 24 ? name.slice(0, 23) + "\u2026" : name);

/// Vertical bars from low to high: points [x, low, high].
function bars(points, color) {
  return { type: "custom", silent: true, itemStyle: { color }, encode: { x: 0, y: [1, 2] }, data: points, z: 1,
    renderItem: (_, api) => {
      const [x, low] = api.coord([api.value(0), api.value(1)]), [, high] = api.coord([api.value(0), api.value(2)]);
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 },
                                          style: { stroke: color, lineWidth: 1.5 } });
      return { type: "group", children: [line(x, low, x, high), line(x - 4, low, x + 4, low),
                                         line(x - 4, high, x + 4, high)] };
    } };
}

const ends = (type) => (type === "category" ? {} : { min: "dataMin", max: "dataMax" });

/// The coordinate of each trial for a parameter, and its axis.
function coordinates(parameter) {
  if (parameter.numeric)
    return { values: parameter.values, axis: { type: parameter.log ? "log" : "value", scale: true, logBase: 2 } };
  const names = [...new Set(parameter.values.map(text))].sort();
  return { values: parameter.values.map(text), axis: { type: "category", data: names } };
}

const isOk = (k) => study.trials.status[k] === "ok";
const isFailed = (k) => !["ok", "pending", "cancelled"].includes(study.trials.status[k]);
const numTrials = () => study.trials.status.length;
const trialNumbers = () => Array.from({ length: numTrials() }, (_, k) => k);

function describeTrial(k) {
  const lines = ["trial " + k + "  " + (isOk(k) ? cost(study.trials.time_ns[k]) : study.trials.status[k])];
  for (const parameter of study.parameters.slice(0, 20))
    lines.push(short(parameter.name) + " = " + short(text(parameter.values[k])));
  return lines.join("\n");
}

// ---- The module

function showModule() {
  const several = report.kernels.length > 1;
  $("module").hidden = !several;
  if (!several) return;
  $("module-total").textContent = report.tuned_ns > 0
    ? "All " + report.kernels.length + " kernels, as often as they are called: " + time(report.default_ns) + " by default, " +
      time(report.tuned_ns) + " tuned, " + ratio(report.default_ns / report.tuned_ns) + "."
    : "";
  const kernels = report.kernels.map((kernel) => ({ ...report.studies[kernel.study], share: kernel.share }));
  plot("kernels-plot", "Times of " + kernels.length + " kernels, plain, default and tuned", () => ({
    legend: legend(),
    tooltip: { ...tooltipBase(), trigger: "axis", valueFormatter: (value) => cost(value, "ns") },
    dataZoom: kernels.length > 12 ? [{ type: "slider", bottom: 4, height: 18, endValue: 11, startValue: 0 }] : [],
    grid: { left: 12, right: 28, top: 40, bottom: kernels.length > 12 ? 40 : 12, containLabel: true },
    xAxis: axis({ type: "category", data: kernels.map(nameOf),
                  label: { formatter: (name) => short(name.replace(/ \([^(]*\)$/, "")), rotate: kernels.length > 4 ? 30 : 0 } }),
    yAxis: axis({ type: "value", name: "time", label: { formatter: (value) => time(value), hideOverlap: true } }),
    series: [["plain", sky], ["default", orange], ["best", blue]].map(([member, color]) => ({
      type: "bar", name: member === "best" ? "tuned" : member, itemStyle: { color },
      data: kernels.map((kernel) => (kernel.unit === "ns" && kernel[member] ? kernel[member].time_ns : null)),
    })),
  }));
  const columns = [
    { name: "kernel", value: (k) => k.name, show: (k) => make("a", k.name, { href: "#" + k.key.slice(0, 8) }) },
    { name: "calls", value: (k) => known(k, "calls"), show: (k) => (known(k, "calls") === null ? "-" : String(known(k, "calls"))), number: true },
    { name: "share", value: (k) => k.share, show: (k) => (k.share === null ? "-" : percent(k.share)), number: true },
    ...["plain", "default", "best"].map((member) => ({
      name: member === "best" ? "tuned" : member, number: true,
      value: (k) => k[member] && k[member].time_ns, show: (k) => cost(k[member] && k[member].time_ns, k.unit) })),
    { name: "speed-up", value: (k) => k.speedup, show: (k) => ratio(k.speedup), number: true },
    { name: "of bound", value: (k) => known(k, "share_of_bound"), number: true,
      show: (k) => (known(k, "share_of_bound") === null ? "-" : percent(known(k, "share_of_bound"))) },
    { name: "limited by", value: (k) => known(k, "limited_by") ?? "", show: (k) => known(k, "limited_by") ?? "-" },
    { name: "trials", value: (k) => k.evaluations, show: (k) => String(k.evaluations), number: true },
    { name: "failed", value: (k) => k.failed, show: (k) => String(k.failed), number: true },
    { name: "failures by kind", value: (k) => k.failed, show: (k) => kindsOf(k).map(([kind, n]) => n + " " + kind).join(", ") },
  ];
  const show = (order) => fillTable($("kernels-table"), columns,
    sortRows(kernels, columns[order.index], order.down), order, show);
  show({ index: 2, down: true });
}

/// What the tuner has recorded of a study's kernel; null if unknown.
const known = (s, name) => (s.kernel ? s.kernel[name] ?? null : null);

const kindsOf = (s) => Object.entries(s.statuses).filter(([kind]) => kind !== "ok" && kind !== "cancelled");

// ---- A study

function showHead() {
  $("study-name").textContent = nameOf(study);
  $("study-about").textContent = [study.about, study.optimizer && "technique " + text(study.optimizer),
    study.seed !== null && "seed " + text(study.seed), "created " + study.created, "last used " + study.used]
    .filter(Boolean).join(" \u00b7 ");
  const tiles = [
    [study.best ? cost(study.best.time_ns) : "nothing works",
     study.use === null ? "best" : (study.confirmed ? "confirmed: " : "unconfirmed: ") +
       (study.use === "plain" ? "the original code" : study.use === "default" ? "the default"
         : "trial " + (study.best ? study.best.trial : "-"))],
    [cost(study.default && study.default.time_ns), "default"], [cost(study.plain && study.plain.time_ns), "plain"],
    [ratio(study.speedup), "over the default" + (study.speedup_interval
      ? " (" + study.speedup_interval.map(ratio).join(" to ") + ")" : "")],
    [ratio(study.speedup_over_plain), "over plain" + (study.speedup_over_plain_interval
      ? " (" + study.speedup_over_plain_interval.map(ratio).join(" to ") + ")" : "")],
    [known(study, "share_of_bound") === null ? "-" : percent(known(study, "share_of_bound")), "of the bound, " +
      time(known(study, "bound_ns") ?? 0) + " by " + known(study, "bound_by")],
    [String(study.evaluations), "evaluated" + (study.pending ? ", " + study.pending + " pending" : "")],
    [String(study.failed), "failed"],
  ];
  $("tiles").replaceChildren(...tiles.filter(([value]) => value !== "-").map(([value, label]) => {
    const tile = make("div");
    tile.append(make("b", value), make("span", label));
    return tile;
  }));
}

/// Seconds, or the number, of each evaluation.
function evaluationsOf(s) {
  let evaluation = 0, seconds = 0;
  return s.trials.status.map((status, k) => {
    if (status === "pending" || status === "cancelled") return null;
    seconds += (s.trials.compile_ns[k] + s.trials.run_ns[k]) / 1e9;
    return { evaluation: ++evaluation, seconds };
  });
}

function showCourse() {
  const over = $("course-axis").value, logs = $("course-log").checked;
  const others = report.studies.filter((s) => s.name === study.name && s.unit === study.unit && s !== study).slice(0, 6);
  const line = (s, color, name) => {
    const points = s.incumbents.map((step) => [step[over], step.time_ns]);
    const all = evaluationsOf(s).filter(Boolean);
    if (points.length && all.length) points.push([all[all.length - 1][over], points[points.length - 1][1]]);
    return { type: "line", step: "end", name, data: points, symbolSize: 5, itemStyle: { color }, lineStyle: { color, width: 2 }, z: 3 };
  };
  plot("course-plot", "The best of " + study.evaluations + " evaluations over " + over, () => {
    const places = evaluationsOf(study);
    const trials = trialNumbers().filter((k) => isOk(k) && places[k]);
    const series = [line(study, css("--ok"), "best"), { ...bars(study.incumbents.filter((step) => step.spread)
      .map((step) => [step[over], step.time_ns * (1 - step.spread), step.time_ns * (1 + step.spread)]), css("--ok")), name: "its spread" }];
    others.forEach((other, index) => series.push(line(other, colors[1 + index % 6],
      [other.optimizer, other.seed === null ? "" : "seed " + text(other.seed), other.key.slice(0, 4)].join(" "))));
    if ($("course-trials").checked)
      series.push({ type: "scatter", name: "trials", symbolSize: 4, progressive: 0, large: trials.length > 2000, itemStyle: { color: css("--faint"), opacity: 0.5 },
        data: trials.map((k) => [places[k][over], study.trials.time_ns[k], k]) });
    return { legend: legend(), series,
      tooltip: { ...tooltipBase(), formatter: (at) => (at.seriesName === "trials" ? describeTrial(at.value[2])
        : at.seriesName + "\n" + digits(at.value[0]) + (over === "seconds" ? " s: " : ": ") + cost(at.value[1])) },
      xAxis: axis({ type: "value", name: over === "seconds" ? "seconds" : "evaluations", nameLocation: "middle", nameGap: 28, min: 0 }),
      yAxis: costAxis(knownTimes(), logs) };
  });
}

function showImportance() {
  const importance = study.importance;
  $("importance-note").textContent = importance
    ? "Shares of the variance between configurations, by a model that explains " + percent(Math.max(0, importance.explained)) +
      " of the variance of trials that it hasn't seen" + (importance.explained < 0.5 ? ": too little to trust the shares." : ".")
    : "Unknown: see the end of the page.";
  $("importance-plot").hidden = !importance;
  if (!importance) return;
  const shares = importance.shares.slice(0, 12).reverse();
  plot("importance-plot", "Importance: " + importance.shares.map((s) => s.parameters.join(" with ") + " " + percent(Math.max(0, s.share))).join(", "), () => ({
    grid: { left: 12, right: 28, top: 8, bottom: 12, containLabel: true },
    xAxis: axis({ type: "value", max: (range) => Math.min(1, range.max * 1.1), label: { formatter: (value) => Math.round(100 * value) + " %" } }),
    yAxis: axis({ type: "category", data: shares.map((s) => s.parameters.join(" \u00d7 ")), label: { formatter: short } }),
    tooltip: { ...tooltipBase(), valueFormatter: percent },
    series: [{ type: "bar", data: shares.map((s) => ({ value: Math.max(0, s.share),
      itemStyle: { color: s.parameters.length > 1 ? purple : blue } })) }],
  }));
}

function showEffect() {
  const slice = study.slices[$("effect-select").value];
  $("effect-plot").hidden = !slice;
  if (!slice) return;
  const points = slice.points, ofBest = study.best && study.best.configuration && study.best.configuration[slice.parameter];
  plot("effect-plot", "Predicted " + costName() + " for " + points.length + " values of " + slice.parameter, () => ({
    xAxis: axis({ type: "category", data: points.map((point) => point.value), name: short(slice.parameter), nameLocation: "middle", nameGap: 30,
                  label: { formatter: short, hideOverlap: true } }),
    yAxis: costAxis(),
    tooltip: { ...tooltipBase(), formatter: (at) => points[at.dataIndex].value + ": " + cost(points[at.dataIndex].time_ns) + "\n" +
      cost(points[at.dataIndex].low_ns) + " to " + cost(points[at.dataIndex].high_ns) },
    series: [{ type: "line", data: points.map((point) => ({ value: point.time_ns, symbol: "circle",
        symbolSize: point.value === toText(ofBest) ? 14 : 7 })), itemStyle: { color: css("--ok") }, lineStyle: { color: css("--ok") } },
      bars(points.map((point, index) => [index, point.low_ns, point.high_ns]), orange)],
  }));
}

// A value as the names of slices have it, for values that look alike in JSON.
const toText = (value) => (typeof value === "string" ? JSON.stringify(value) : Array.isArray(value)
  ? "(" + value.join(", ") + ")" : text(value));

// ---- The space, with a selection

function select(numbers) {
  selection = numbers && numbers.length ? new Set(numbers) : null;
  $("picked").textContent = selection ? selection.size + " trials are selected" : "";
  order.page = 0;
  showSpace();
  showTrials();
}

/// The ten parameters that matter most.
function shownParameters() {
  const rank = new Map((study.importance ? study.importance.shares : []).filter((s) => s.parameters.length === 1)
    .map((s, index) => [s.parameters[0], index]));
  return [...study.parameters].sort((a, b) => (rank.get(a.name) ?? 99) - (rank.get(b.name) ?? 99)).slice(0, 10);
}

/// At most maxLines of the trials, evenly spread by time, the fastest among them.
const maxLines = 1500;
const thin = (numbers) => (numbers.length <= maxLines ? numbers
  : numbers.sort((a, b) => study.trials.time_ns[a] - study.trials.time_ns[b])
    .filter((_, index) => index % Math.ceil(numbers.length / maxLines) === 0));

/// Where the points of the scatter are. Failures have no time: they are above
/// all others.
function scatterPlace() {
  const times = knownTimes(), worst = times.reduce((a, b) => Math.max(a, b), 0);
  return { ...coordinates(study.parameters[$("scatter-select").value]),
           cost: (k) => (isOk(k) ? study.trials.time_ns[k] : worst > 0 ? worst * 1.15 : 1) };
}

function showSpace() {
  const chosen = shownParameters();
  const all = trialNumbers().filter((k) => isOk(k) || isFailed(k));
  const logs = isPositive(knownTimes());
  const chosenOnly = (k) => selection === null || selection.has(k);
  $("lines-note").textContent = all.length > maxLines ? " Of so many trials some have a line, the fastest among them." : "";
  plot("parallel-plot", all.length + " trials over " + chosen.length + " parameters and " + costName(), () => {
    const places = chosen.map(coordinates), narrow = $("parallel-plot").clientWidth < 500;
    const lines = (name, keep, style) => ({ type: "parallel", name, smooth: false, lineStyle: style,
      progressive: 0, inactiveOpacity: 0.02, activeOpacity: style.opacity,
      data: thin(all.filter(keep)).map((k) => [...places.map((place) => place.values[k]), isOk(k) ? study.trials.time_ns[k] : "-", k]) });
    const label = { color: css("--text"), textBorderColor: css("--card"), textBorderWidth: 3, hideOverlap: true };
    const faint = Math.max(0.1, Math.min(0.6, 60 / all.length));
    const series = [];
    if (selection) series.push(lines("not selected", (k) => !chosenOnly(k), { color: css("--faint"), opacity: faint / 2, width: 1 }));
    series.push(lines("ok", (k) => isOk(k) && chosenOnly(k), { color: css("--ok"), opacity: selection ? 0.6 : faint, width: 1.2 }));
    series.push(lines("failed", (k) => isFailed(k) && chosenOnly(k), { color: vermillion, opacity: selection ? 0.6 : faint, width: 1.2, type: "dashed" }));
    return {
      legend: legend(), series,
      parallel: { left: 40, right: 60, top: 70, bottom: 24, parallelAxisDefault: {
        axisLine: { lineStyle: { color: css("--faint") } }, axisLabel: { color: css("--text") }, nameTextStyle: { color: css("--text") } } },
      parallelAxis: [...places.map((place, dim) => ({ dim, ...place.axis, ...ends(place.axis.type), name: narrow ? chosen[dim].name.slice(0, 8) : short(chosen[dim].name),
          nameRotate: 20, axisLabel: { ...label, formatter: (value) => short(String(value)) } })),
        { dim: chosen.length, type: logs ? "log" : "value", ...ends("value"), name: costName(), nameRotate: 20,
          axisLabel: { ...label, formatter: (value) => cost(value) } }],
    };
  });
  const parameter = study.parameters[$("scatter-select").value];
  $("scatter-plot").hidden = !parameter;
  if (!parameter) return;
  plot("scatter-plot", costName() + " of " + all.length + " trials over " + parameter.name, () => {
    const place = scatterPlace();
    const points = (name, keep, color, symbol, z) => ({ type: "scatter", name, symbol, symbolSize: 7, z, progressive: 0, large: all.length > 2000, itemStyle: { color, opacity: 0.75 },
      data: all.filter(keep).map((k) => [place.values[k], place.cost(k), k]) });
    return {
      legend: legend(), toolbox: { show: false }, brush: { throttleType: "debounce", throttleDelay: 200, xAxisIndex: 0 },
      grid: { left: 12, right: 28, top: 40, bottom: 32, containLabel: true },
      tooltip: { ...tooltipBase(), formatter: (at) => describeTrial(at.value[2]) },
      xAxis: axis({ ...place.axis, name: short(parameter.name), nameLocation: "middle", nameGap: 28, label: { hideOverlap: true } }),
      yAxis: costAxis(all.map(place.cost), logs),
      series: [points("not selected", (k) => selection !== null && !chosenOnly(k), css("--faint"), "circle", 1),
        points("ok", (k) => isOk(k) && chosenOnly(k), css("--ok"), "circle", 2),
        points("failed", (k) => isFailed(k) && chosenOnly(k), vermillion, "triangle", 3)],
    };
  });
}

const handlers = {
  "kernels-plot": (chart) => chart.on("click", (at) => { location.hash = report.studies[report.kernels[at.dataIndex].study].key.slice(0, 8); }),
  // Also of trials whose lines aren't drawn.
  "parallel-plot": (chart) => chart.on("axisareaselected", () => {
    const axes = [...shownParameters().map(coordinates), { values: study.trials.time_ns, axis: {} }].map(({ values, axis }, index) => {
      const model = chart.getModel().getComponent("parallelAxis", index);
      return model.activeIntervals.length ? (k) => values[k] !== null &&
        model.getActiveState(axis.data ? axis.data.indexOf(values[k]) : values[k]) === "active" : null;
    }).filter(Boolean);
    pickFrom(axes.length ? trialNumbers().filter((k) => (isOk(k) || isFailed(k)) && axes.every((holds) => holds(k))) : null, "scatter-plot");
  }),
  "scatter-plot": (chart) => chart.on("brushselected", (event) => {
    const area = event.batch[0].areas[0];
    if (!area || !area.coordRange) return;
    const place = scatterPlace(), [across, up] = area.coordRange, isIn = (value, [low, high]) => low <= value && value <= high;
    pickFrom(trialNumbers().filter((k) => (isOk(k) || isFailed(k)) && isIn(place.cost(k), up) &&
      isIn(place.axis.data ? place.axis.data.indexOf(place.values[k]) : place.values[k], across)), "parallel-plot");
  }),
};

/// A selection by hand in one plot: that one shows it itself, the other is drawn
/// again.
function pickFrom(numbers, other) {
  select(numbers);
  const own = other === "scatter-plot" ? "parallel-plot" : "scatter-plot";
  draws.delete(own);
}

function showFailures() {
  const kinds = kindsOf(study);
  $("failures-note").textContent = kinds.length ? "" : "No trial failed.";
  $("kinds-plot").hidden = !kinds.length;
  if (kinds.length)
    plot("kinds-plot", "Failures: " + kinds.map(([kind, count]) => count + " " + kind).join(", "), () => ({
      grid: { left: 12, right: 40, top: 8, bottom: 32, containLabel: true },
      xAxis: axis({ type: "value", minInterval: 1, name: "trials", nameLocation: "middle", nameGap: 28 }),
      yAxis: axis({ type: "category", data: kinds.map(([kind]) => kind) }), tooltip: tooltipBase(),
      series: [{ type: "bar", itemStyle: { color: vermillion }, barMaxWidth: 40, label: { show: true, position: "right", color: css("--text") },
        data: kinds.map(([, count]) => count) }],
    }));
  const place = study.failures[$("places-select").value];
  $("places-plot").hidden = !place;
  if (!place) return;
  plot("places-plot", "Failures for " + place.values.length + " values of " + place.parameter, () => ({
    legend: legend(), tooltip: { ...tooltipBase(), trigger: "axis" },
    xAxis: axis({ type: "category", data: place.values.map((v) => v.value), name: short(place.parameter), nameLocation: "middle", nameGap: 30,
                  label: { formatter: short, hideOverlap: true } }),
    yAxis: axis({ type: "value", minInterval: 1, name: "trials" }),
    series: [{ type: "bar", stack: "all", name: "failed", itemStyle: { color: vermillion }, data: place.values.map((v) => v.failed) },
             { type: "bar", stack: "all", name: "ok", itemStyle: { color: sky }, data: place.values.map((v) => v.trials - v.failed) }],
  }));
}

function showSeconds() {
  const parts = Object.entries(study.seconds).filter(([part, s]) => s > 0 || part !== "pack");
  plot("seconds-plot", "Seconds: " + parts.map(([part, s]) => part + " " + duration(s)).join(", "), () => ({
    legend: legend(), tooltip: { ...tooltipBase(), valueFormatter: duration },
    xAxis: axis({ type: "value", name: "seconds", nameLocation: "middle", nameGap: 28 }), yAxis: axis({ type: "category", data: [""] }),
    series: parts.map(([part, s], index) => ({ type: "bar", stack: "all", name: part + " " + duration(s), data: [s],
      itemStyle: { color: [orange, blue, green][index] } })),
  }));
}

function showFinals() {
  const finalists = study.finalists;
  $("finals-note").textContent = finalists.length
    ? "Each point is a round; the line is the time of all. " + finalists.filter((f) => f.status !== "ok")
      .map((f) => (f.trial === null ? "plain" : "trial " + f.trial) + ": " + f.status).join(", ")
    : "None is stored.";
  $("finals-plot").hidden = !finalists.length;
  if (!finalists.length) return;
  plot("finals-plot", "Rounds of " + finalists.length + " finalists", () => ({
    xAxis: axis({ type: "category", data: finalists.map((f) => (f.trial === null ? "plain" : "trial " + f.trial)) }),
    yAxis: costAxis(), tooltip: { ...tooltipBase(), formatter: (at) => at.name + ": " + cost(at.value[1]) },
    series: [{ type: "scatter", symbolSize: 7, itemStyle: { color: css("--ok"), opacity: 0.6 },
        data: finalists.flatMap((f, index) => f.rounds_ns.map((ns) => [index, ns])) },
      { type: "scatter", symbol: "rect", symbolSize: [40, 3], itemStyle: { color: vermillion }, z: 3,
        data: finalists.map((f, index) => [index, f.time_ns]).filter(([, ns]) => ns !== null) }],
  }));
}

/// Rates of the kernel over its operations per byte, under the machine's roof.
function showRoofline() {
  const { flops, bytes, flops_per_s: peak, bytes_per_s: bandwidth, threads, counts_integers } = study.kernel || {};
  const isKnown = study.unit === "ns" && flops && bytes && peak && bandwidth;
  $("roofline-part").hidden = !isKnown;
  if (!isKnown) return;
  const unit = counts_integers ? " GOP/s" : " GFLOP/s";
  const intensity = flops / bytes, ridge = peak / bandwidth;
  const roof = (x) => Math.min(peak, bandwidth * x) / 1e9;
  const points = [["plain", sky, "triangle"], ["default", orange, "diamond"], ["best", blue, "circle"]]
    .filter(([member]) => study[member]).map(([member, color, symbol]) => ({ name: member === "best" ? "tuned" : member, color, symbol,
      rate: flops / study[member].time_ns }));
  const low = Math.min(intensity, ridge) / 8, high = Math.max(intensity, ridge) * 8;
  $("roofline-note").textContent = "Measured beside the finalists, with " + threads + (threads === 1 ? " thread: " : " threads: ") +
    digits(peak / 1e9) + unit + ", and " + digits(bandwidth / 1e9) + " GB/s from memory as large as the arguments (" + digits(bytes / 1024) + " KiB).";
  plot("roofline-plot", "Roofline: " + points.map((p) => p.name + " " + digits(p.rate) + unit).join(", ") + ", at most " +
    digits(roof(intensity)), () => ({
    legend: legend(), tooltip: { ...tooltipBase(), formatter: (at) => at.seriesName + ": " + digits(at.value[1]) + unit },
    xAxis: axis({ type: "log", min: low, max: high, name: "operations per byte", nameLocation: "middle", nameGap: 28,
                  axisTick: { customValues: logTicks(low, high) }, label: { customValues: logTicks(low, high), formatter: digits, hideOverlap: true } }),
    yAxis: axis({ type: "log", name: unit.trim(), label: { formatter: (value) => String(Number(value.toPrecision(3))), hideOverlap: true } }),
    series: [{ type: "line", name: "bound", symbol: "none", itemStyle: { color: vermillion }, lineStyle: { width: 2 },
        data: [low, ridge, high].map((x) => [x, roof(x)]) },
      ...points.map((p) => ({ type: "scatter", name: p.name, symbol: p.symbol, symbolSize: 11, z: 3, itemStyle: { color: p.color },
        data: [[intensity, p.rate]] }))],
  }));
}

function showConfigurations() {
  const first = study.default_configuration || {}, second = (study.best && study.best.configuration) || {};
  const rows = study.parameters.map(({ name }) => ({ name, first: first[name], second: second[name],
    marked: JSON.stringify(first[name]) !== JSON.stringify(second[name]) }));
  const value = (v) => (v === undefined ? "-" : text(v));
  const columns = [{ name: "parameter", value: (r) => r.name, show: (r) => r.name },
    { name: "default", value: (r) => value(r.first), show: (r) => value(r.first) },
    { name: "chosen", value: (r) => value(r.second), show: (r) => value(r.second) }];
  const show = (by) => fillTable($("configurations-table"), columns, by ? sortRows(rows, columns[by.index], by.down) : rows, by, show);
  show(null);
  $("schedules").replaceChildren(...study.schedules.map((schedule) => {
    const details = make("details");
    details.append(make("summary", "Schedule @" + schedule.name), make("pre", schedule.text));
    return details;
  }));
  $("listings").replaceChildren(...((study.kernel && study.kernel.listings) || []).map((listing) => {
    const box = make("div"), isDefault = study.default && listing.trial === study.default.trial;
    const name = listing.trial === null ? "the original code" : "trial " + listing.trial + (isDefault ? " (default)" : "");
    box.append(make("h3", (listing.text ? "Hottest loop of " : "Code of ") + name));
    if (listing.shares)
      box.append(make("p", percent(listing.shares.computing) + " of the time computing, " +
        percent(listing.shares.moving) + " moving data, " + percent(listing.shares.elsewhere) + " elsewhere"));
    if (listing.text)
      box.append(make("pre", listing.text, { tabIndex: 0 }));
    return box;
  }));
}

// ---- Trials

const perPage = 50;
let order = { index: 0, down: false, page: 0 };

function trialColumns() {
  const { trials } = study, of = (column) => (row) => trials[column][row.k];
  const seconds = (column) => ({ value: of(column), number: true,
    show: (row) => (trials[column][row.k] === null ? "-" : digits(trials[column][row.k] / 1e9)) });
  return [
    { name: "trial", number: true, value: (row) => row.k, show: (row) => make("a", String(row.k), { href: "#" + study.key.slice(0, 8) + "/trial-" + row.k }) },
    { name: "status", value: of("status"), show: of("status") },
    { name: costName(), number: true, value: of("time_ns"), show: (row) => cost(trials.time_ns[row.k]) },
    { name: "spread", number: true, value: of("spread"), show: (row) => (isOk(row.k) && trials.samples[row.k] > 1 ? percent(trials.spread[row.k]) : "-") },
    { name: "compile s", ...seconds("compile_ns") }, { name: "run s", ...seconds("run_ns") },
    ...study.parameters.map((parameter) => ({ name: parameter.name, number: parameter.numeric,
      value: (row) => (parameter.numeric ? parameter.values[row.k] : text(parameter.values[row.k])), show: (row) => text(parameter.values[row.k]) })),
    { name: "message", value: (row) => (trials.message[row.k] === null ? null : trials.messages[trials.message[row.k]]),
      show: (row) => (trials.message[row.k] === null ? "" : trials.messages[trials.message[row.k]]) },
  ];
}

const sortedTrials = () => sortRows(trialNumbers().filter((k) => selection === null || selection.has(k)).map((k) => ({ k })),
  trialColumns()[order.index], order.down);

function showTrials() {
  const rows = sortedTrials(), pages = Math.max(1, Math.ceil(rows.length / perPage));
  order.page = Math.max(0, Math.min(order.page, pages - 1));
  $("page-label").textContent = "page " + (order.page + 1) + " of " + pages + ", " + rows.length + " trials";
  for (const [id, off] of [["page-first", order.page === 0], ["page-back", order.page === 0],
    ["page-next", order.page === pages - 1], ["page-last", order.page === pages - 1]]) $(id).disabled = off;
  fillTable($("trials-table"), trialColumns(), rows.slice(order.page * perPage, (order.page + 1) * perPage)
    .map((row) => ({ ...row, id: "trial-" + row.k, marked: row.k === marked })), order,
    (by) => { order = { ...by, page: 0 }; showTrials(); });
}

// ---- The page

/// The choices that a study offers, with its most important parameter chosen.
function fillChoices() {
  fillSelect($("effect-select"), study.slices.map((slice) => slice.parameter));
  fillSelect($("scatter-select"), study.parameters.map((parameter) => parameter.name));
  fillSelect($("places-select"), study.failures.map((place) => place.parameter));
  const most = study.importance && study.importance.shares.find((s) => s.parameters.length === 1);
  if (most)
    for (const id of ["effect-select", "scatter-select"])
      $(id).value = String(study.parameters.findIndex((parameter) => parameter.name === most.parameters[0]));
  for (const id of ["effect-select", "places-select"]) $(id).closest("section").hidden = !$(id).options.length;
}

function showStudy() {
  order = { index: 0, down: false, page: 0 };
  selection = null;
  $("picked").textContent = "";
  fillChoices();
  $("study-select").value = String(report.studies.indexOf(study));
  for (const show of [showHead, showCourse, showImportance, showEffect, showSpace, showFailures, showSeconds, showFinals, showRoofline,
    showConfigurations, showTrials]) show();
  showLacks();
}

function showLacks() {
  $("lacks").replaceChildren(...[...study.lacks, ...report.lacks].map((lack) => make("li", lack)));
}

/// #trial-17 of this study, #KEY of another one, #KEY/trial-17.
function followLink() {
  const found = /^#(?:([^/]*)\/)?trial-(\d+)$/.exec(location.hash) || [null, location.hash.slice(1), null];
  const other = found[1] && report.studies.find((s) => s.key.startsWith(decodeURIComponent(found[1])));
  if (other && other !== study) { study = other; marked = null; showStudy(); }
  if (found[2] === null) { if (other) $("study").scrollIntoView(); return; }
  marked = Number(found[2]);
  if (marked >= numTrials()) return;
  if (selection && !selection.has(marked)) select(null);
  order.page = Math.floor(sortedTrials().findIndex((row) => row.k === marked) / perPage);
  showTrials();
  const row = $("trial-" + marked);
  row.scrollIntoView({ block: "center" });
  row.focus({ preventScroll: true });
}

$("database").textContent = report.database;

function showStudies() {
  fillSelect($("study-select"), report.studies.map(nameOf));
  $("study-select").value = String(report.studies.indexOf(study));
  $("study-choice").hidden = report.studies.length < 2;
}

showStudies();
$("study-select").onchange = () => { study = report.studies[$("study-select").value]; marked = null; showStudy(); };
for (const id of ["course-axis", "course-log", "course-trials"]) $(id).onchange = showCourse;
$("effect-select").onchange = showEffect;
$("scatter-select").onchange = showSpace;
$("places-select").onchange = showFailures;
$("pick-none").onclick = () => select(null);
$("pick-failed").onclick = () => select(trialNumbers().filter(isFailed));
$("pick-fast").onclick = () => {
  const fast = trialNumbers().filter(isOk).sort((a, b) => study.trials.time_ns[a] - study.trials.time_ns[b]);
  select(fast.slice(0, Math.ceil(fast.length / 10)));
};
for (const [id, page] of [["page-first", () => 0], ["page-back", () => order.page - 1], ["page-next", () => order.page + 1],
  ["page-last", () => Infinity]]) $(id).onclick = () => { order.page = page(); showTrials(); };
const redraw = () => { showModule(); const kept = { order, selection }; showCourse(); showImportance(); showEffect(); showSpace();
  showFailures(); showSeconds(); showFinals(); showRoofline(); Object.assign(order, kept.order); };
$("theme").onchange = () => { document.documentElement.dataset.theme = $("theme").value; redraw(); };
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("resize", () => charts.forEach((chart) => chart.resize()));
addEventListener("hashchange", followLink);

// ---- A search at work

/// Takes the facts that the server has now. What was chosen stays.
function takeReport(next) {
  const choices = JSON.stringify([study.slices.length, study.failures.map((place) => place.parameter)]);
  report = next;
  study = report.studies.find((s) => s.key === study.key) || report.studies[report.kernels[0].study];
  showStudies();
  if (choices !== JSON.stringify([study.slices.length, study.failures.map((place) => place.parameter)])) fillChoices();
  showHead();
  redraw();
  showConfigurations();
  showTrials();
  showLacks();
}

async function fetchReport() {
  const answer = await fetch("data");
  if (answer.ok) takeReport(await answer.json());
}

function followSearch() {
  const say = (words) => { $("live").textContent = words; };
  const events = new EventSource("events");
  $("live").hidden = $("follow-choice").hidden = false;
  say("The search is running.");
  let isFetching = false;
  events.addEventListener("change", async () => {
    if (!$("follow").checked || isFetching) return;
    isFetching = true;
    await fetchReport().catch(() => {});
    isFetching = false;
  });
  events.addEventListener("end", async () => {
    events.close();
    await fetchReport().catch(() => {});
    $("follow-choice").hidden = true;
    say("The search has ended.");
  });
  events.onerror = () => say("The tuner doesn't answer.");
  events.onopen = () => say("The search is running.");
}

showModule();
showStudy();
followLink();
if (report.live) followSearch();
})();
