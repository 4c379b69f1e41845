// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::diagnose {

/// The script of the live page. Text reaches the page only through textContent.
constexpr const char* kLiveScript = R"(
'use strict';
const kWindow = 300, kMostPoints = 6000, kWidth = 440, kHeight = 200;
const kLeft = 72, kRight = 12, kTop = 10, kBottom = 24;
let data = null, last = 0, ended = false;
const byId = id => document.getElementById(id);

function element(name, attributes, text) {
  const svg = ['svg', 'line', 'text', 'polyline', 'circle'].includes(name);
  const made = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (value >= 1024 && unit + 1 < units.length) { value /= 1024; ++unit; }
  return (unit && value < 100 ? value.toFixed(1) : value.toFixed(0)) + ' ' + units[unit];
}
const percent = value => (100 * value).toFixed(0) + ' %';
const plain = value => value >= 100 ? value.toFixed(0) : value.toFixed(value < 10 ? 1 : 0);
const rate = value => bytes(value) + '/s';
const watts = value => value.toFixed(0) + ' W';

// Columns of the host and of each GPU, as they come.
function append(more) {
  if (!data) { data = more; return; }
  const push = (to, from) => { for (const value of from) to.push(value); };
  push(data.seconds, more.seconds);
  for (const name in more.host) push(data.host[name], more.host[name]);
  more.gpus.forEach((gpu, i) => { for (const name in gpu) push(data.gpus[i][name], gpu[name]); });
  data.process_alive = more.process_alive;
}

function forget() {
  const extra = data.seconds.length - kMostPoints;
  if (extra <= 0) return;
  data.seconds.splice(0, extra);
  for (const name in data.host) data.host[name].splice(0, extra);
  for (const gpu of data.gpus) for (const name in gpu) gpu[name].splice(0, extra);
}

function latest(column) {
  for (let i = column.length - 1; i >= 0 && i >= column.length - 20; --i)
    if (column[i] !== null) return column[i];
  return null;
}

// A second's worth: single samples are too quick to read.
function mean(column) {
  const end = data.seconds[data.seconds.length - 1];
  let sum = 0, count = 0;
  for (let i = column.length - 1; i >= 0 && (data.seconds[i] > end - 1 || count === 0); --i)
    if (column[i] !== null) { sum += column[i]; ++count; } else if (data.seconds[i] < end - 2) break;
  return count ? sum / count : null;
}

function tile(name, value, note) {
  const made = element('div', {class: 'tile'});
  made.append(element('div', {class: 'soft'}, name), element('div', {class: 'value'}, value),
              element('div', {class: 'soft'}, note || ''));
  return made;
}

function gpuTiles(gpu, i) {
  const about = data.machine.gpus[i], use = mean(gpu.utilization), memory = latest(gpu.memory_bytes);
  const power = mean(gpu.power_w), heat = latest(gpu.temperature_c), out = [];
  const name = data.machine.gpus.length > 1 ? 'GPU ' + about.index : 'GPU';
  out.push(tile(name + ' busy', use === null ? 'not known' : percent(use), about.name));
  if (memory !== null) out.push(tile(name + ' memory', bytes(memory),
      about.memory_total_bytes ? 'of ' + bytes(about.memory_total_bytes) : ''));
  if (power !== null) out.push(tile(name + ' power', watts(power),
      (about.power_limit_w ? 'of ' + watts(about.power_limit_w) : '') + (heat === null ? '' : ', ' + heat + ' °C')));
  return out;
}

function showTiles() {
  const host = data.host, machine = data.machine, out = [];
  data.gpus.forEach((gpu, i) => out.push(...gpuTiles(gpu, i)));
  if (!data.gpus.length) out.push(tile('GPU', 'no GPU', 'none to watch'));
  const cpu = mean(host.cpu), all = mean(host.machine_cpu), resident = latest(host.resident_bytes);
  if (cpu !== null) out.push(tile('process CPU', cpu.toFixed(1) + ' cores', latest(host.processes) + ' processes, ' + latest(host.threads) + ' threads'));
  if (all !== null) out.push(tile('machine CPU', percent(all), 'of ' + machine.cores + ' cores'));
  if (resident !== null) out.push(tile('process memory', bytes(resident)));
  const read = mean(host.read_bytes_per_s), busy = mean(host.disk_busy);
  if (read !== null) out.push(tile('read', rate(read), 'from storage'));
  if (busy !== null) out.push(tile('disk busy', percent(busy), 'cores waiting ' + percent(mean(host.io_wait) || 0)));
  byId('tiles').replaceChildren(...out);
}

// Round numbers; of bytes, in the unit they are written in.
function ticks(top, format) {
  const unit = format === bytes || format === rate ? 1024 ** Math.floor(Math.log2(Math.max(top, 1)) / 10) : 1;
  return roundTicks(top / unit).map(value => value * unit);
}

function roundTicks(top) {
  const raw = top / 4, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(times => times * power).find(value => value >= raw * 0.999);
  const out = [];
  for (let value = 0; value <= top * 1.001; value += step) out.push(value);
  return out;
}

// [seconds, mean] of at least `least` neighbours each.
function grouped(column, from, least) {
  const group = Math.max(least, Math.floor((column.length - from) / 400)), out = [];
  for (let i = from; i < column.length; i += group) {
    let sum = 0, n = 0;
    for (let j = i; j < Math.min(i + group, column.length); ++j) if (column[j] !== null) { sum += column[j]; ++n; }
    if (n) out.push([data.seconds[i], sum / n]);
  }
  return out;
}

// lines: [name, column]; top: the least that the axis reaches. Bursts are shown as means of a second.
function chart(title, lines, format, top, bursts) {
  lines = lines.filter(([, column]) => column.some(value => value !== null));
  if (!lines.length) return null;
  const end = data.seconds[data.seconds.length - 1], start = Math.max(0, end - kWindow);
  const from = Math.max(0, data.seconds.findIndex(value => value >= start));
  const span = Math.max(end - data.seconds[from], 1);
  const least = bursts ? Math.max(1, Math.round((data.seconds.length - from) / span)) : 1;
  lines = lines.map(([name, column]) => [name, grouped(column, from, least)]);
  for (const [, points] of lines) for (const [, value] of points) top = Math.max(top, value);
  const x = value => kLeft + (value - start) / Math.max(end - start, 1) * (kWidth - kLeft - kRight);
  const y = value => kTop + (1 - value / top) * (kHeight - kTop - kBottom);
  const svg = element('svg', {viewBox: '0 0 ' + kWidth + ' ' + kHeight, role: 'img', 'aria-label': title});
  for (const tick of ticks(top, format)) {
    svg.append(element('line', {class: 'grid', x1: kLeft, x2: kWidth - kRight, y1: y(tick), y2: y(tick)}),
               element('text', {class: 'tick', x: kLeft - 6, y: y(tick) + 4, 'text-anchor': 'end'}, format(tick)));
  }
  svg.append(element('text', {class: 'tick', x: kLeft, y: kHeight - 6}, Math.round(start) + ' s'),
             element('text', {class: 'tick', x: kWidth - kRight, y: kHeight - 6, 'text-anchor': 'end'}, Math.round(end) + ' s'));
  const legend = element('p', {class: 'legend'});
  lines.forEach(([name, points], i) => {
    const style = 'line-' + (i % 6 + 1);
    const places = points.map(([at, value]) => x(at).toFixed(1) + ',' + y(value).toFixed(1)).join(' ');
    svg.append(element('polyline', {class: 'line ' + style, points: places}));
    if (lines.length > 1) legend.append(element('span', {class: 'key ' + style}), name + ' ');
  });
  const figure = element('figure', {class: 'chart'});
  figure.append(element('figcaption', {}, title));
  if (lines.length > 1) figure.append(legend);
  figure.append(svg);
  return figure;
}

function showCharts() {
  const host = data.host, machine = data.machine;
  const ofGpus = name => data.gpus.map((gpu, i) => ['GPU ' + machine.gpus[i].index, gpu[name]]);
  const most = name => Math.max(...machine.gpus.map(gpu => gpu[name] || 0));
  const scaled = (column, by) => column.map(value => value === null ? null : value * by);
  const charts = [
    chart('GPU busy', ofGpus('utilization'), percent, 1),
    chart('GPU multiprocessors at work', ofGpus('sm_activity'), percent, 1),
    chart('GPU memory', ofGpus('memory_bytes'), bytes, most('memory_total_bytes') || 1 << 20),
    chart('GPU power', ofGpus('power_w'), watts, most('power_limit_w') || 10),
    chart('Cores in use', [['process', host.cpu], ['machine', scaled(host.machine_cpu, machine.cores)]], plain, machine.usable_cores),
    chart('Storage', [['disk busy', host.disk_busy], ['cores waiting', host.io_wait]], percent, 1, true),
    chart('Read and written', [['read', host.read_bytes_per_s], ['written', host.written_bytes_per_s]], rate, 1024, true),
    chart('Process memory', [['memory', host.resident_bytes]], bytes, 1 << 20),
  ];
  byId('charts').replaceChildren(...charts.filter(made => made));
}

function showState() {
  const end = data.seconds.length ? data.seconds[data.seconds.length - 1] : 0;
  const gpus = data.machine.gpus.length;
  byId('state').textContent = (ended ? 'ended after ' : 'watching for ') + end.toFixed(0) + ' s; ' +
      (gpus === 0 ? 'no GPU' : gpus === 1 ? '1 GPU' : gpus + ' GPUs') + ', ' + data.machine.cores + ' cores';
}

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(path + ': ' + answer.status);
  return answer.json();
}

async function renewSamples() {
  try {
    const more = await ask(data ? '/samples.json?after=' + last : '/samples.json');
    if (more.last) last = more.last;
    append(more);
    forget();
    ended = false;
  } catch (error) {
    ended = true;
  }
  if (data && data.seconds.length) { showState(); showTiles(); showCharts(); }
  setTimeout(renewSamples, ended ? 5000 : 1000);
}

async function renewVerdict() {
  try {
    const verdict = await ask('/verdict.json');
    byId('cause').textContent = 'so far: ' + verdict.cause.replace(/_/g, ' ');
    byId('cause').className = verdict.cause === 'healthy' ? 'good' : verdict.cause === 'unknown' || verdict.cause === 'no_gpu' ? '' : 'fair';
    byId('evidence').replaceChildren(...verdict.evidence.split('; ').map(text => element('div', {}, text)),
        ...verdict.remedies.map(remedy => element('div', {class: 'soft'}, 'try: ' + remedy.change)));
  } catch (error) { /* the samples say that the watch has ended */ }
  setTimeout(renewVerdict, 3000);
}

renewSamples();
renewVerdict();
)";

}  // namespace seda::diagnose
