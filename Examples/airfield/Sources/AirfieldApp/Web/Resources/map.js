// The map beside the list: coastlines, and the airports that were found as dots that can be pointed
// at, gone through by keys and opened.
(() => {
  "use strict";
  const LARGEST = 100;
  const HELP = "Arrow keys go from airport to airport, Enter opens one, plus and minus enlarge and "
    + "reduce, arrow keys with Shift move the map, Escape shows all that was found.";
  const WORLD = { west: -180, south: -90, east: 180, north: 90 };
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const within = (value, low, high) => Math.min(high, Math.max(low, value));

  globalThis.makeMap = (figure) => {
    const frame = make("div", { className: "map-frame" });
    const canvas = make("canvas", { tabIndex: 0 });
    const tip = make("p", { className: "map-tip", hidden: true });
    const said = make("p", { className: "unseen", id: "map-said" });
    const help = make("p", { className: "unseen", id: "map-help", textContent: HELP });
    const tools = make("div", { className: "map-tools" });
    canvas.setAttribute("role", "application");
    canvas.setAttribute("aria-roledescription", "map");
    canvas.setAttribute("aria-describedby", help.id);
    said.setAttribute("role", "status");
    frame.append(canvas, tip, tools, said, help);
    figure.prepend(frame);

    // Where the middle of the map is, and how many times it is larger than the whole world.
    let view = { scale: 1, lon: 0, lat: 0 };
    let coasts = [];
    let points = [];
    let chosen = null;
    // What the points are of: the address, how many it said there are, of which state, and the area.
    let shown = { source: null, alt: null, revision: null, area: WORLD, isWhole: true };
    // The same of those that were asked for last; what is shown once they are there, or don't come.
    let asked = shown;
    const pen = canvas.getContext("2d");

    // Places

    const size = () => ({ width: canvas.clientWidth, height: canvas.clientHeight });
    const unit = () => (size().width / 360) * view.scale;
    const toScreen = ({ lon, lat }) => {
      const { width, height } = size();
      return [width / 2 + (lon - view.lon) * unit(), height / 2 + (view.lat - lat) * unit()];
    };

    function area(margin = 0) {
      const { width, height } = size();
      const [x, y] = [(width / 2 / unit()) * (1 + margin), (height / 2 / unit()) * (1 + margin)];
      return {
        west: Math.max(-180, view.lon - x), south: Math.max(-90, view.lat - y),
        east: Math.min(180, view.lon + x), north: Math.min(90, view.lat + y),
      };
    }

    function clamp() {
      const { width, height } = size();
      view.scale = within(view.scale, 1, LARGEST);
      const x = Math.min(180, width / 2 / unit());
      const y = Math.min(90, height / 2 / unit());
      view.lon = within(view.lon, x - 180, 180 - x);
      view.lat = within(view.lat, y - 90, 90 - y);
    }

    function zoom(factor, at) {
      const { width, height } = size();
      const [x, y] = at ?? (chosen ? toScreen(chosen) : [width / 2, height / 2]);
      const before = unit();
      view.scale = within(view.scale * factor, 1, LARGEST);
      view.lon += (x - width / 2) * (1 / before - 1 / unit());
      view.lat -= (y - height / 2) * (1 / before - 1 / unit());
      moved();
    }

    function pan(x, y) {
      view.lon += x / unit();
      view.lat -= y / unit();
      moved();
    }

    // Shows all that was found; the whole world where nothing was, or everything.
    function fit() {
      const { width, height } = size();
      view = { scale: 1, lon: 0, lat: 0 };
      const isNarrowed = shown.source?.includes("?");
      if (isNarrowed && points.length && width) {
        const [lons, lats] = [points.map((point) => point.lon), points.map((point) => point.lat)];
        const ends = (values) => values.reduce(
          ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
          [Infinity, -Infinity]);
        const [[west, east], [south, north]] = [ends(lons), ends(lats)];
        const room = unit() * 1.3;
        view = {
          scale: Math.min(
            12, width / (Math.max(0.1, east - west) * room),
            height / (Math.max(0.1, north - south) * room)),
          lon: (west + east) / 2, lat: (south + north) / 2,
        };
      }
      draw();
    }

    // The view in the address of the page

    const inAddress = () => {
      const numbers = (new URL(location.href).searchParams.get("map") ?? "").split(",").map(Number);
      const [lat, lon, scale] = numbers;
      return numbers.length === 3 && numbers.every(Number.isFinite) ? { lat, lon, scale } : null;
    };

    function setAddress(isSet) {
      const url = new URL(location.href);
      if (!isSet) url.searchParams.delete("map");
      else url.searchParams.set("map", [view.lat, view.lon, view.scale].map((x) => x.toFixed(2)));
      if (url.href === location.href) return;
      try {
        history.replaceState(history.state, "", url);
      } catch {
        // Some browsers allow so many in a time; the map is moved all the same.
      }
    }

    let rest = null;
    function moved() {
      draw();
      clearTimeout(rest);
      rest = setTimeout(() => {
        setAddress(true);
        loadNearer();
      }, 250);
    }

    // Drawing

    let request = 0;
    function draw() {
      clamp();
      cancelAnimationFrame(request);
      request = requestAnimationFrame(paint);
    }

    function paint() {
      const { width, height } = size();
      if (!width) return;
      const ratio = window.devicePixelRatio || 1;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      pen.scale(ratio, ratio);
      const style = getComputedStyle(figure);
      const colour = (name) => style.getPropertyValue(name).trim();
      pen.fillStyle = colour("--sea");
      pen.fillRect(0, 0, width, height);
      paintGrid(width, height, colour("--grid"));
      paintCoasts(colour("--coast"));
      paintPoints(width, height, colour("--dot"));
      if (!chosen) return;
      const [x, y] = toScreen(chosen);
      pen.beginPath();
      pen.arc(x, y, 6, 0, 7);
      pen.lineWidth = 2;
      pen.strokeStyle = colour("--ink");
      pen.stroke();
      showTip();
    }

    function paintGrid(width, height, colour) {
      pen.strokeStyle = colour;
      pen.lineWidth = 1;
      pen.beginPath();
      for (let lon = -150; lon < 180; lon += 30) {
        const [x] = toScreen({ lon, lat: 0 });
        pen.moveTo(x, 0);
        pen.lineTo(x, height);
      }
      for (let lat = -60; lat < 90; lat += 30) {
        const [, y] = toScreen({ lon: 0, lat });
        pen.moveTo(0, y);
        pen.lineTo(width, y);
      }
      pen.stroke();
    }

    function paintCoasts(colour) {
      const { west, south, east, north } = area();
      const [x, y] = toScreen({ lon: 0, lat: 0 });
      const step = unit();
      pen.strokeStyle = colour;
      pen.lineWidth = 1.25;
      pen.beginPath();
      for (const coast of coasts) {
        if (coast.west > east || coast.east < west || coast.south > north || coast.north < south) {
          continue;
        }
        coast.line.forEach(([lon, lat], index) => {
          pen[index ? "lineTo" : "moveTo"](x + lon * step, y - lat * step);
        });
      }
      pen.stroke();
    }

    function paintPoints(width, height, colour) {
      const crowd = Math.max(1, points.length / (view.scale * view.scale));
      const side = Math.min(6, Math.max(width / 620, 70 / Math.sqrt(crowd)));
      pen.fillStyle = colour;
      pen.globalAlpha = side < 1.5 ? 0.55 : 0.8;
      for (const point of points) {
        const [x, y] = toScreen(point);
        if (x < -6 || y < -6 || x > width + 6 || y > height + 6) continue;
        const own = point.count > 1 ? Math.min(9, side + Math.log2(point.count) / 2) : side;
        if (own < 2.5) {
          pen.fillRect(x - own / 2, y - own / 2, own, own);
        } else {
          pen.beginPath();
          pen.arc(x, y, own / 2, 0, 7);
          pen.fill();
        }
      }
      pen.globalAlpha = 1;
    }

    // Choosing one

    const name = (point) => point.icao
      ? `${point.name} (${point.icao})` : `${point.count.toLocaleString("en")} airports`;

    function choose(point) {
      if (point === chosen) return;
      chosen = point;
      canvas.classList.toggle("over", Boolean(point));
      tip.hidden = !point;
      draw();
    }

    // The same airport among other points, where it is one of them; where several are one dot, what
    // is nearest to its place, so that keys go on from there.
    function rechoose() {
      if (!chosen) return;
      const same = points.find(({ icao }) => icao && icao === chosen.icao);
      const isOne = chosen.icao && shown.isWhole;
      const next = same ?? (isOne ? null : nearest(...toScreen(chosen), Infinity));
      const isNew = next && !same && name(next) !== name(chosen);
      choose(next);
      if (isNew) said.textContent = name(next);
    }

    function showTip() {
      tip.textContent = name(chosen);
      const [x, y] = toScreen(chosen);
      tip.classList.toggle("left", x > size().width / 2);
      // The policy of the page allows no styles in markup; this is not in markup.
      tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    }

    function open(point) {
      if (!point) return;
      if (point.icao) location.assign("/airports/" + encodeURIComponent(point.icao));
      else {
        [view.lon, view.lat] = [point.lon, point.lat];
        choose(point);
        said.textContent = `Enlarged around ${name(point)}`;
        zoom(4);
      }
    }

    // The point for which a cost is least; what costs infinitely much is none.
    function least(cost) {
      let [best, low] = [null, Infinity];
      for (const point of points) {
        const [x, y] = toScreen(point);
        const own = cost(x, y);
        if (own < low) [best, low] = [point, own];
      }
      return best;
    }

    function nearest(x, y, radius = 12) {
      return least((a, b) => {
        const distance = Math.hypot(a - x, b - y);
        return distance < radius ? distance : Infinity;
      });
    }

    // Goes to the next airport in a direction; what is too near to be told apart on this map is
    // passed over, and is reached on a larger one.
    function step(right, down) {
      const { width, height } = size();
      let next;
      if (!chosen) {
        next = nearest(width / 2, height / 2, Infinity);
      } else {
        const [x, y] = toScreen(chosen);
        next = least((a, b) => {
          const forward = (a - x) * right + (b - y) * down;
          const aside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
          return forward < 10 || aside > forward ? Infinity : forward + 2 * aside;
        });
      }
      if (!next) return pan(60 * right, 60 * down);
      const [x, y] = toScreen(next);
      choose(next);
      said.textContent = name(next);
      if (x < 20 || y < 20 || x > width - 20 || y > height - 20) {
        [view.lon, view.lat] = [next.lon, next.lat];
        moved();
      }
    }

    // Loading

    const parse = (text) => text.split("\n").filter(Boolean).map((line) => {
      const [icao, lat, lon, rest] = line.split("\t");
      return {
        icao, lat: lat / 1000, lon: lon / 1000, name: rest, count: icao ? 1 : Number(rest),
      };
    });

    async function fetchText(address) {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.text();
    }

    async function load() {
      const picture = figure.querySelector("#map-source img");
      const { points: source, revision } = picture?.dataset ?? {};
      if (!source) return;
      canvas.setAttribute("aria-label", picture.alt);
      const now = { source, alt: picture.alt, revision, area: WORLD, isWhole: true };
      if (["source", "alt", "revision"].every((name) => now[name] === asked[name])) return;
      asked = now;
      try {
        const text = await fetchText(source);
        if (asked !== now) return;
        const before = shown;
        points = parse(text);
        now.isWhole = points.every((point) => point.count === 1);
        shown = now;
        if (source === before.source) rechoose();
        else choose(null);
        if (before.source === null && inAddress()) view = inAddress();
        else if (source !== before.source) {
          if (before.source !== null) setAddress(false);
          fit();
        }
        draw();
        loadNearer();
      } catch {
        // It is asked for again when there is something to show; what is seen stays.
        if (asked === now) asked = shown;
      }
    }

    // Where there were too many airports to be sent one by one, those of the part that is seen are.
    async function loadNearer() {
      const seen = area();
      const covers = (outer) => outer.west <= seen.west && outer.south <= seen.south
        && outer.east >= seen.east && outer.north >= seen.north;
      const width = (part) => part.east - part.west;
      if (asked.isWhole || (covers(asked.area) && width(asked.area) < 3 * width(seen))) return;
      const now = { ...asked, area: width(seen) > 180 ? WORLD : area(0.5) };
      if (width(now.area) === width(asked.area) && covers(asked.area)) return;
      asked = now;
      const url = new URL(now.source, location.href);
      const { west, south, east, north } = now.area;
      url.searchParams.set("area", [west, south, east, north].map((x) => x.toFixed(3)));
      try {
        const text = await fetchText(url);
        if (asked !== now) return;
        points = parse(text);
        shown = now;
        rechoose();
        draw();
      } catch {
        // What was there is good enough until the map is moved again.
        if (asked === now) asked = shown;
      }
    }

    async function loadCoasts() {
      const address = figure.querySelector("#map-source img")?.dataset.coasts;
      if (!address) return;
      const text = await fetchText(address).catch(() => "");
      // Twentieths of a degree, each place told by its way from the one before.
      coasts = text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => {
        const numbers = line.split(" ").map(Number);
        const coast = { west: 180, south: 90, east: -180, north: -90, line: [] };
        let [lon, lat] = [0, 0];
        for (let index = 0; index + 1 < numbers.length; index += 2) {
          lon += numbers[index] / 20;
          lat += numbers[index + 1] / 20;
          coast.line.push([lon, lat]);
          coast.west = Math.min(coast.west, lon);
          coast.east = Math.max(coast.east, lon);
          coast.south = Math.min(coast.south, lat);
          coast.north = Math.max(coast.north, lat);
        }
        return coast;
      });
      draw();
    }

    // What a person does

    for (const [label, name, action] of [
      ["+", "Zoom in", () => zoom(1.8)],
      ["−", "Zoom out", () => zoom(1 / 1.8)],
      ["⤢", "Whole world", () => {
        view = { scale: 1, lon: 0, lat: 0 };
        moved();
      }],
    ]) {
      const button = make("button", { type: "button", textContent: label });
      button.setAttribute("aria-label", name);
      button.addEventListener("click", action);
      tools.append(button);
    }

    const held = new Map();
    let way = 0;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, place(event));
      way = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const now = place(event);
      const before = held.get(event.pointerId);
      if (!before) return choose(nearest(...now));
      way += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
      if (held.size === 1) {
        pan(before[0] - now[0], before[1] - now[1]);
      } else {
        const other = [...held].find(([id]) => id !== event.pointerId)[1];
        const length = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
        zoom(length(now) / length(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
      }
      held.set(event.pointerId, now);
    });
    const release = (event) => held.delete(event.pointerId);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerup", (event) => {
      if (release(event) && way <= 5) open(nearest(...place(event)));
    });
    canvas.addEventListener("pointerleave", () => choose(null));
    canvas.addEventListener("wheel", (event) => {
      // The wheel alone scrolls the page, as everywhere on it.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 200), place(event));
    }, { passive: false });
    const arrows = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = arrows[event.key];
      const others = {
        "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5),
        Enter: () => open(chosen),
        Escape: () => {
          choose(null);
          setAddress(false);
          fit();
          loadNearer();
        },
      };
      if (!arrow && !others[event.key]) return;
      event.preventDefault();
      if (!arrow) others[event.key]();
      else if (event.shiftKey) pan(60 * arrow[0], 60 * arrow[1]);
      else step(...arrow);
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    new ResizeObserver(draw).observe(canvas);
    loadCoasts();
    load();
    return { load };
  };
})();
