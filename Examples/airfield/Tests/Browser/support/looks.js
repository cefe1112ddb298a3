// Looks at a page as a person would, and says what is wrong with it.
(() => {
  "use strict";
  const name = (element) => {
    const text = (element.getAttribute("aria-label") || element.innerText || element.id || "")
      .trim().replace(/\s+/g, " ").slice(0, 30);
    return `${element.localName}${element.id ? "#" + element.id : ""}“${text}”`;
  };
  const box = (element) => element.getBoundingClientRect();
  const isUnseen = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.clipPath !== "none" || style.visibility === "hidden") return true;
      if (style.display === "none" || at.hidden) return true;
    }
    const { width, height } = box(element);
    return width < 2 || height < 2;
  };
  const targets = () => [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, canvas[tabindex]",
  )].filter((element) => !isUnseen(element) && !element.matches(".skip"));

  // A link within a sentence is as high as the line.
  const isInSentence = (element) => element.localName === "a" &&
    getComputedStyle(element).display === "inline" &&
    [...element.parentElement.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent.trim());

  // A phone shows a page that is too wide smaller, and then calls its window as wide as that.
  function sideways() {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const out = [...document.querySelectorAll("body *")].filter(
      (element) => !isUnseen(element) && box(element).right > clientWidth + 0.5);
    return [`scrolls sideways, ${scrollWidth} in ${clientWidth}: ${out.slice(0, 5).map(name)}`];
  }

  // Targets of WCAG 2.2: 24 pixels each way, or as much room to all others.
  function small() {
    const least = 24;
    const all = targets();
    const centre = (element) => {
      const { left, top, width, height } = box(element);
      return [left + width / 2, top + height / 2];
    };
    const gap = ([x, y], element) => {
      const { left, right, top, bottom } = box(element);
      return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
    };
    const isSmall = (element) =>
      box(element).width < least - 0.01 || box(element).height < least - 0.01;
    return all.filter((element) => isSmall(element) && !isInSentence(element)).filter((element) =>
      all.some((other) => {
        if (other === element) return false;
        const distance = isSmall(other)
          ? Math.hypot(
            centre(element)[0] - centre(other)[0], centre(element)[1] - centre(other)[1]) -
            least / 2
          : gap(centre(element), other);
        return distance < least / 2 - 0.01;
      })).map((element) =>
        `too small: ${name(element)} ${box(element).width} × ${box(element).height}`);
  }

  // A finger wants 44 pixels each way, of a control or of what stands for it.
  function touch() {
    if (innerWidth >= 600) return [];
    const reach = (element) => {
      const parts = [box(element), ...[...(element.labels ?? [])].map(box)];
      const cover = getComputedStyle(element, "::after");
      const card = element.closest("tr");
      if (card && cover.content !== "none" && cover.position === "absolute") parts.push(box(card));
      return {
        width: Math.max(...parts.map(({ right }) => right)) -
          Math.min(...parts.map(({ left }) => left)),
        height: Math.max(...parts.map(({ height }) => height)),
      };
    };
    return targets().filter((element) => !isInSentence(element)).flatMap((element) => {
      const { width, height } = reach(element);
      return width > 43.9 && height > 43.9
        ? [] : [`too small for a finger: ${name(element)} ${width} × ${height}`];
    });
  }

  // What lies over what: only the tools of the map may lie over something, which is the map.
  function overlapping() {
    const all = targets();
    const wrong = [];
    all.forEach((first, index) => {
      for (const second of all.slice(index + 1)) {
        if (first.contains(second) || second.contains(first)) continue;
        if (first.closest(".map-frame") && second.closest(".map-frame")) continue;
        const [a, b] = [box(first), box(second)];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 0.5 && high > 0.5) wrong.push(`${name(first)} and ${name(second)} overlap`);
      }
    });
    for (const element of all) {
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const { left, top, width, height } = box(element);
      const lines = element.getClientRects();
      const [x, y] = lines.length > 1
        ? [lines[0].left + lines[0].width / 2, lines[0].top + lines[0].height / 2]
        : [left + width / 2, top + height / 2];
      const hit = document.elementFromPoint(x, y);
      if (!hit || !(element.contains(hit) || hit.contains(element))) {
        wrong.push(`${name(element)} is covered by ${hit ? name(hit) : "nothing that is there"}`);
      }
    }
    return wrong;
  }

  // Words that run out of their box, and are cut off or lie over their neighbours.
  function cut() {
    return [...document.querySelectorAll("button, .button, th, td, dd, dt, label, h1, select")]
      .filter((element) => !isUnseen(element) && element.scrollWidth > element.clientWidth + 1 &&
        getComputedStyle(element).display !== "inline" && element.clientWidth > 0)
      .map((element) =>
        `runs out of its box: ${name(element)} ${element.scrollWidth} in ${element.clientWidth}`);
  }

  // Words that are broken at the end of a line; those that hardly any line could hold may be.
  function broken() {
    const wrong = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\p{N}]{2,30}/gu;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (isUnseen(node.parentElement) || node.parentElement.closest("select, datalist")) continue;
      for (const { 0: word, index } of node.data.matchAll(words)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const [first, ...others] = [...range.getClientRects()].filter(({ width }) => width > 0.5);
        if (others.some(({ top }) => Math.abs(top - first.top) > first.height / 2)) {
          wrong.add(`“${word}” is broken in ${name(node.parentElement)}`);
        }
      }
    }
    return [...wrong];
  }

  function contrast() {
    const channel = (value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    };
    const parse = (text) => {
      const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
      return { parts: [red, green, blue], alpha };
    };
    const over = (top, bottom) =>
      top.parts.map((part, index) => part * top.alpha + bottom[index] * (1 - top.alpha));
    const light = (parts) => {
      const [red, green, blue] = parts.map(channel);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const ground = (element) => {
      const layers = [];
      for (let at = element; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        layers.push(colour);
        if (colour.alpha === 1) break;
      }
      return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
    };
    const seen = (element) => {
      let opacity = 1;
      for (let at = element; at; at = at.parentElement) {
        opacity *= Number(getComputedStyle(at).opacity);
      }
      return opacity;
    };
    const wrong = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.textContent.trim() || isUnseen(element)) continue;
      // What can't be used at the moment may be faint.
      if (element.closest("[aria-hidden=true], [aria-disabled=true], :disabled, option")) continue;
      const style = getComputedStyle(element);
      const below = ground(element);
      const colour = parse(style.color);
      colour.alpha *= seen(element);
      const lights = [light(over(colour, below)), light(below)].sort((a, b) => b - a);
      const ratio = (lights[0] + 0.05) / (lights[1] + 0.05);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5)) wrong.add(`faint, ${ratio.toFixed(2)}: ${name(element)}`);
    }
    return [...wrong];
  }

  function structure() {
    const wrong = [];
    const want = (isRight, text) => isRight || wrong.push(text);
    const count = (css) => document.querySelectorAll(css).length;
    want(document.documentElement.lang === "en", "the page does not say its language");
    want(document.title.trim(), "the page has no title");
    want(count("h1") === 1, `${count("h1")} main headings`);
    for (const [css, what] of [
      ["main", "main part"], ["body > header", "head"], ["body > footer", "foot"],
      ["[role=search]", "search"]]) want(count(css) === 1, `${count(css)} of the ${what}`);
    const navigations = [...document.querySelectorAll("nav")];
    want(navigations.length > 0, "no navigation");
    const labels = navigations.map((nav) => nav.getAttribute("aria-label"));
    want(labels.every(Boolean) && new Set(labels).size === labels.length,
      `navigations can’t be told apart: ${labels}`);
    const identifiers = [...document.querySelectorAll("[id]")].map((element) => element.id);
    const twice = identifiers.filter((id, index) => identifiers.indexOf(id) !== index);
    want(!twice.length, `identifiers that are there twice: ${twice}`);
    for (const attribute of ["for", "form", "aria-describedby", "aria-labelledby"]) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        for (const id of element.getAttribute(attribute).split(/\s+/)) {
          want(document.getElementById(id), `${attribute}=${id} leads nowhere`);
        }
      }
    }
    for (const control of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
      want(control.labels.length || control.getAttribute("aria-label"),
        `no label: ${name(control)}`);
    }
    for (const element of document.querySelectorAll("a[href], button")) {
      const text = element.getAttribute("aria-label") || element.textContent;
      want(text.trim(), `no name: ${element.outerHTML.slice(0, 80)}`);
    }
    for (const picture of document.querySelectorAll("img, canvas, svg")) {
      want(
        picture.closest("[aria-hidden=true]") || picture.getAttribute("alt") ||
          (["img", "application"].includes(picture.getAttribute("role")) &&
            picture.getAttribute("aria-label")),
        `a picture that says nothing: ${picture.outerHTML.slice(0, 80)}`);
    }
    for (const element of document.querySelectorAll("#connection, #count, #shown, #import-said, .note.good")) {
      want(
        element.getAttribute("role") === "status" || element.getAttribute("aria-live"),
        `changes in silence: ${name(element)}`);
    }
    for (const element of document.querySelectorAll("#results > section, #notice")) {
      want(element.getAttribute("aria-live") === "polite", `changes in silence: ${name(element)}`);
    }
    for (const rows of document.querySelectorAll("table, #rows")) {
      want(
        !rows.closest("[aria-live], [role=status], [role=alert], [role=log]"),
        `read out whole when it grows: ${name(rows)}`);
    }
    const failures = document.querySelectorAll(".screen-error, .note.bad, .form-announcement");
    for (const element of failures) {
      want(element.getAttribute("role") === "alert", `fails in silence: ${name(element)}`);
    }
    want(count("[tabindex]:not([tabindex='0']):not([tabindex='-1'])") === 0,
      "an order of its own among those who go by keys");
    return wrong;
  }

  return { sideways, small, touch, overlapping, cut, broken, contrast, structure };
})()
