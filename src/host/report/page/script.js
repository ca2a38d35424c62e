// The page's own script: draws the episode that is chosen in the table. It runs in the reader's browser, and once while
// the report is made, without a document, to draw the first episode into the page.

const actionTexts = [
  'none',
  ...['1 m ahead', '2 m ahead', '2 m left', '2 m right', '4 m ahead', '4 m left', '4 m right'].map(
    (move) => `move ${move}`,
  ),
  ...['left 30°', 'left 60°', 'left 90°', 'right 30°', 'right 60°', 'right 90°'].map(
    (turn) => `turn ${turn}`,
  ),
  'wait 1 s',
  'wait 2 s',
  'wait 3 s',
];
const eventPattern = /^(contact|hazard|violation|conflict-vehicle)\/([a-z-]+)(?:\/(active|passive))?$/;

function escapeText(text) {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function round(value) {
  return String(Math.round(value * 10) / 10);
}

/** What each decision brought, with where and when. */
function decisionsOf(view, eventNames, isRealtime) {
  let clock = 0;
  return view.trace.map((entry, index) => {
    const [x, y, end, latency, action] = entry;
    const events = [];
    for (let place = 5; place < entry.length; place += 2) {
      const [, kind, type, interval] = eventPattern.exec(eventNames[entry[place]]) || [];
      if (kind) events.push({ kind, type, interval: interval || 'active', count: entry[place + 1] });
    }
    const start = clock;
    clock = end;
    return {
      number: index + 1,
      x,
      y,
      start,
      thought: isRealtime ? Math.min(end, start + latency) : start,
      end,
      latency,
      action,
      events,
    };
  });
}

/** How an event is drawn: always by shape as well as by colour. */
function kindOf(event) {
  if (event.kind === 'contact') return event.interval;
  return event.kind === 'hazard' ? 'hazard' : 'violation';
}

function eventText({ kind, type, interval, count }) {
  const name = type.replace('-', ' ');
  const what = {
    contact: `${interval} contact${count === 1 ? '' : 's'} with ${type === 'human' || type === 'object' ? `a ${type === 'human' ? 'person' : 'object'}` : `a ${type}`}`,
    hazard: `hazard: ${name}`,
    violation: `violation: ${name}`,
    'conflict-vehicle': `conflict vehicle ${name}`,
  }[kind].replace('a object', 'an object');
  return `${count} ${what}`;
}

function markSvg(kind, x, y, size, title) {
  const s = size;
  const shapes = {
    passive: `<circle cx="${round(x)}" cy="${round(y)}" r="${round(s)}" fill="var(--passive)" stroke="var(--paper)"/>`,
    active: `<path d="M${round(x)} ${round(y - 1.2 * s)}l${round(1.15 * s)} ${round(2.1 * s)}h${round(-2.3 * s)}z" fill="var(--active)" stroke="var(--paper)"/>`,
    hazard: `<path d="M${round(x)} ${round(y - 1.25 * s)}l${round(1.25 * s)} ${round(1.25 * s)}l${round(-1.25 * s)} ${round(1.25 * s)}l${round(-1.25 * s)} ${round(-1.25 * s)}z" fill="var(--hazard)" stroke="var(--paper)"/>`,
    violation: `<path d="M${round(x - s)} ${round(y - s)}l${round(2 * s)} ${round(2 * s)}m0 ${round(-2 * s)}l${round(-2 * s)} ${round(2 * s)}" fill="none" stroke="var(--violation)" stroke-width="${round(0.6 * s)}"/>`,
  };
  return `<g stroke-width="${round(0.25 * s)}"><title>${escapeText(title)}</title>${shapes[kind]}</g>`;
}

/** x, y, width, height around some points, in cm, at least 40 m wide and so much of that high. */
function frameAround(points, leastHeight) {
  const margin = 1200;
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  let [left, right] = [Math.min(...xs) - margin, Math.max(...xs) + margin];
  let [top, bottom] = [Math.min(...ys) - margin, Math.max(...ys) + margin];
  const width = Math.max(right - left, bottom - top, 4000);
  const height = Math.max(bottom - top, width * leastHeight);
  left -= (width - (right - left)) / 2;
  top -= (height - (bottom - top)) / 2;
  return [left, top, width, height].map(Math.round);
}

function stripSvg([ax, ay, bx, by, half], className, cap, extra) {
  return `<line x1="${ax}" y1="${ay}" x2="${bx}" y2="${by}" stroke="var(--${className})" stroke-width="${2 * half}" stroke-linecap="${cap}"${extra || ''}/>`;
}

function pointsText(points) {
  return points.map(([x, y]) => `${x},${y}`).join(' ');
}

/** Seen from above; y grows downwards, which with the scene's left-handed axes is the view from above. */
function pathSvg(views, view, episode, isNarrow) {
  const map = views.maps[episode.map];
  const route = views.routes[`${episode.map}:${episode.route}`] || [];
  const decisions = decisionsOf(view, views.eventNames, episode.mode === 'realtime');
  const walked = (route.length > 0 ? [route[0]] : []).concat(decisions.map(({ x, y }) => [x, y]));
  const [left, top, width, height] = frameAround(route.concat(walked), isNarrow ? 0.8 : 0.5);
  const unit = width / (isNarrow ? 60 : 100);
  const parts = [];
  if (map) {
    for (const walk of map.sidewalks) parts.push(stripSvg(walk, 'walk', 'square'));
    for (const road of map.roads) parts.push(stripSvg(road, 'road', 'square'));
    for (const zebra of map.crosswalks)
      parts.push(stripSvg(zebra, 'zebra', 'butt', ' stroke-dasharray="60 60"'));
    for (const [minX, minY, maxX, maxY] of map.buildings) {
      parts.push(
        `<rect x="${minX}" y="${minY}" width="${maxX - minX}" height="${maxY - minY}" fill="var(--block)"/>`,
      );
    }
  }
  parts.push(
    `<polyline points="${pointsText(route)}" fill="none" stroke="var(--route)" stroke-width="${round(0.5 * unit)}" stroke-dasharray="${round(1.2 * unit)} ${round(unit)}"/>`,
    `<polyline points="${pointsText(walked)}" fill="none" stroke="var(--path)" stroke-width="${round(0.5 * unit)}" stroke-linejoin="round"/>`,
  );
  for (const { x, y } of decisions)
    parts.push(`<circle cx="${x}" cy="${y}" r="${round(0.45 * unit)}" fill="var(--path)"/>`);
  const middle = [0, 1].map(
    (axis) => route.reduce((sum, point) => sum + point[axis], 0) / Math.max(1, route.length),
  );
  route.forEach(([x, y], index) => {
    // Its name stands on the outside of the route, where fewer marks are.
    const [outX, outY] = [x - middle[0], y - middle[1]];
    const reach = (3.4 * unit) / Math.max(1, Math.sqrt(outX * outX + outY * outY));
    const [nameX, nameY] = [x + outX * reach, y + outY * reach];
    const name = index === 0 ? 'S' : index === route.length - 1 ? 'E' : String(index);
    const title = index === 0 ? 'start' : index === route.length - 1 ? 'destination' : `subgoal ${index}`;
    parts.push(
      `<g><title>${title}</title><circle cx="${x}" cy="${y}" r="${round(0.6 * unit)}" fill="var(--ink)"/>` +
        `<circle cx="${round(nameX)}" cy="${round(nameY)}" r="${round(1.5 * unit)}" fill="var(--paper)" stroke="var(--ink)" stroke-width="${round(0.25 * unit)}"/>` +
        `<text x="${round(nameX)}" y="${round(nameY)}" dy="0.35em" font-size="${round(2 * unit)}" text-anchor="middle" fill="var(--ink)">${name}</text></g>`,
    );
  });
  for (const { x, y, number, events } of decisions) {
    const kinds = [...new Set(events.map(kindOf))];
    kinds.forEach((kind, place) => {
      const own = events.filter((event) => kindOf(event) === kind);
      const title = `decision ${number}: ${own.map(eventText).join(', ')}`;
      parts.push(markSvg(kind, x + (place - (kinds.length - 1) / 2) * 1.6 * unit, y, 0.95 * unit, title));
    });
  }
  const metres = [10, 20, 50, 100].find((length) => length * 100 >= 0.15 * width) || 100;
  const [barX, barY] = [left + 3 * unit, top + height - 3 * unit];
  parts.push(
    `<path d="M${round(barX)} ${round(barY - unit)}v${round(unit)}h${metres * 100}v${round(-unit)}" fill="none" stroke="var(--ink)" stroke-width="${round(0.3 * unit)}"/>`,
    `<text x="${round(barX + metres * 50)}" y="${round(barY - 0.9 * unit)}" font-size="${round(2.2 * unit)}" text-anchor="middle" fill="var(--ink)">${metres} m</text>`,
  );
  const label = `Path of the agent seen from above on ${episode.map}:${episode.route}; ${decisions.length} decisions`;
  return (
    `<svg class="drawing map" role="img" aria-label="${escapeText(label)}" viewBox="${left} ${top} ${width} ${height}" ` +
    `preserveAspectRatio="xMidYMid meet">${parts.join('')}</svg>`
  );
}

const lanes = [
  { name: 'person', holds: ({ kind, type }) => kind === 'contact' && type === 'human' },
  { name: 'object', holds: ({ kind, type }) => kind === 'contact' && type === 'object' },
  { name: 'building', holds: ({ kind, type }) => kind === 'contact' && type === 'building' },
  {
    name: 'vehicle',
    holds: ({ kind, type }) => (kind === 'contact' && type === 'vehicle') || kind === 'conflict-vehicle',
  },
  { name: 'hazard', holds: ({ kind }) => kind === 'hazard' },
  { name: 'violation', holds: ({ kind }) => kind === 'violation' },
];

/** Thinking and acting over the simulated time, and what happened, in the middle of the interval in which it did. */
function timelineSvg(views, view, episode, width) {
  const decisions = decisionsOf(view, views.eventNames, episode.mode === 'realtime');
  const total = Math.max(1, decisions.length === 0 ? 1 : decisions[decisions.length - 1].end);
  const [left, right, rowHeight, top] = [74, 14, 22, 8];
  const scale = (width - left - right) / total;
  const at = (seconds) => left + seconds * scale;
  const height = top + (lanes.length + 1) * rowHeight + 40;
  const row = (index) => top + index * rowHeight + rowHeight / 2;
  const parts = ['time', ...lanes.map(({ name }) => name)].map(
    (name, index) =>
      `<text x="${left - 8}" y="${row(index)}" dy="0.35em" text-anchor="end" fill="currentColor">${name}</text>` +
      (index === 0
        ? ''
        : `<line x1="${left}" x2="${width - right}" y1="${row(index)}" y2="${row(index)}" stroke="var(--rule)"/>`),
  );
  for (const { start, thought, end } of decisions) {
    if (thought > start) {
      parts.push(
        `<rect x="${round(at(start))}" y="${row(0) - 5}" width="${round((thought - start) * scale)}" height="10" fill="var(--passive)"/>`,
      );
    }
    if (end > thought) {
      parts.push(
        `<rect x="${round(at(thought))}" y="${row(0) - 2}" width="${round((end - thought) * scale)}" height="4" fill="var(--path)"/>`,
      );
    }
  }
  lanes.forEach(({ holds }, index) => {
    for (const { number, start, thought, end, events } of decisions) {
      for (const event of events.filter(holds)) {
        const middle = event.interval === 'passive' ? (start + thought) / 2 : (thought + end) / 2;
        const size = 3.5 + 1.5 * Math.sqrt(event.count - 1);
        parts.push(
          markSvg(
            kindOf(event),
            at(middle),
            row(index + 1),
            Math.min(width < 500 ? 5 : 9, size),
            `decision ${number}: ${eventText(event)}`,
          ),
        );
      }
    }
  });
  const axis = top + (lanes.length + 1) * rowHeight + 4;
  const wanted = total / Math.max(2, Math.floor((width - left) / 90));
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= wanted);
  parts.push(`<line x1="${left}" x2="${width - right}" y1="${axis}" y2="${axis}" stroke="currentColor"/>`);
  for (let seconds = 0; seconds <= total; seconds += step) {
    parts.push(
      `<path d="M${round(at(seconds))} ${axis}v5" stroke="currentColor"/>` +
        `<text x="${round(at(seconds))}" y="${axis + 17}" text-anchor="middle" fill="currentColor">${Number(seconds.toPrecision(6))}</text>`,
    );
  }
  parts.push(
    `<text x="${(left + width - right) / 2}" y="${axis + 32}" text-anchor="middle" fill="currentColor">simulated seconds</text>`,
  );
  const label = `What happened when on ${episode.map}:${episode.route}, over ${round(total)} simulated seconds`;
  return (
    `<svg class="drawing timeline" role="img" aria-label="${escapeText(label)}" viewBox="0 0 ${width} ${height}" font-size="12" ` +
    `font-family="inherit">${parts.join('')}</svg>`
  );
}

/** The rows of the table of what happened. */
function eventRows(views, view, episode) {
  const decisions = decisionsOf(view, views.eventNames, episode.mode === 'realtime');
  return decisions
    .filter(({ events }) => events.length > 0)
    .map(
      ({ number, start, end, latency, action, events }) =>
        `<tr><td>${number}</td><td>${Number(start.toFixed(2))} to ${Number(end.toFixed(2))}</td><td>${latency}</td>` +
        `<td class="text">${actionTexts[action] || 'none'}</td><td class="text">${escapeText(events.map(eventText).join(', '))}</td></tr>`,
    )
    .join('');
}

function drawEpisode(views, place, episode, isNarrow) {
  const view = views.episodes[place];
  return {
    path: pathSvg(views, view, episode, isNarrow),
    timeline: timelineSvg(views, view, episode, isNarrow ? 420 : 860),
    rows: eventRows(views, view, episode),
  };
}

function byId(id) {
  return document.getElementById(id);
}

function startPage() {
  const data = JSON.parse(byId('data').textContent);
  const rows = [...document.querySelectorAll('tr[data-place]')];
  const narrow = window.matchMedia('(max-width: 36rem)');
  let shown = data.views.first;
  const show = (place) => {
    shown = place;
    const episode = data.episodes[place];
    const drawn = drawEpisode(data.views, place, episode, narrow.matches);
    byId('path').innerHTML = drawn.path;
    byId('timeline').innerHTML = drawn.timeline;
    byId('happened').innerHTML = drawn.rows;
    byId('shown').textContent = episode.name;
    for (const row of rows) {
      if (Number(row.dataset.place) === place) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    }
  };
  for (const row of rows) {
    row.querySelector('button').addEventListener('click', () => {
      show(Number(row.dataset.place));
      byId('episode').scrollIntoView({ block: 'nearest' });
    });
  }
  byId('condition').addEventListener('change', ({ target }) => {
    for (const row of rows) row.hidden = target.value !== '' && row.dataset.condition !== target.value;
  });
  narrow.addEventListener('change', () => show(shown));
  show(shown);
}

if (typeof document !== 'undefined') startPage();
