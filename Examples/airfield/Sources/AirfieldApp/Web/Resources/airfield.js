// What makes the pages live. Without it they work, too: every part of it stands in for a link or a
// form that is there already.
(() => {
  "use strict";
  const root = document.documentElement;
  const ownAddress = document.currentScript.src;
  const byId = (id) => document.getElementById(id);
  root.classList.add("scripted");

  // The connection

  const address = document.body.dataset.live;
  let visitor = null;
  let events = null;
  let failures = 0;
  let later = null;

  function liveAddress() {
    const url = new URL(address, location.href);
    const search = byId("results") ? searchValues() : {};
    for (const [name, value] of Object.entries(search)) {
      if (value) url.searchParams.set(name, value);
      else url.searchParams.delete(name);
    }
    // What is shown, so that one who was forgotten meanwhile gets as much, and as new.
    const count = document.querySelectorAll("#rows tr").length;
    const revision = byId("edit")?.elements.revision?.value;
    if (count) url.searchParams.set("count", count);
    if (revision) url.searchParams.set("revision", revision);
    if (visitor) url.searchParams.set("visitor", visitor);
    return url;
  }

  // A browser opens six connections to a server and keeps everybody else waiting, so a page has one
  // only while it is seen. When it is shown again it is sent all that it should show by then.
  const isSeen = () => document.visibilityState === "visible";
  let isWanted = false;

  function disconnect() {
    clearTimeout(later);
    events?.close();
    events = null;
    root.classList.remove("live");
  }

  document.addEventListener("visibilitychange", () => {
    if (!isSeen()) disconnect();
    else if (isWanted) connect();
  });

  function connect() {
    isWanted = true;
    disconnect();
    if (!isSeen()) return;
    events = new EventSource(liveAddress());
    events.onmessage = (message) => {
      failures = 0;
      byId("connection").hidden = true;
      waiting.push(...JSON.parse(message.data));
      applyWaiting();
    };
    events.onerror = () => {
      disconnect();
      byId("connection").hidden = false;
      failures += 1;
      later = setTimeout(connect, Math.min(8000, 500 * 2 ** Math.min(failures, 5)));
    };
  }

  // What is pressed must not move away before it is let go: then it would never be clicked. Some
  // presses end where we don't hear of it; they show when the pointer comes back with no button
  // down, and none of them holds the page for more than ten seconds.
  const waiting = [];
  let press = null;

  function applyWaiting() {
    if (press) return;
    for (const patch of waiting.splice(0)) apply(patch);
    watchMore();
  }

  function letGo() {
    clearTimeout(press);
    press = null;
    applyWaiting();
  }

  addEventListener("pointerdown", () => {
    clearTimeout(press);
    press = setTimeout(letGo, 10000);
  }, true);
  addEventListener("pointermove", (event) => {
    if (press && event.buttons === 0) letGo();
  }, true);
  for (const end of ["pointerup", "pointercancel", "dragend"]) {
    // The click comes after this, and before what is put off.
    addEventListener(end, () => setTimeout(letGo), true);
  }

  // Changes what is in an element, and gives the focus back to what had it.
  function keepingFocus(element, change) {
    const id = element.id;
    const focused = document.activeElement;
    if (focused === element || !element.contains(focused)) return change();
    const sign = ["id", "href", "value", "data-do"].find((name) => focused.hasAttribute(name));
    const same = sign && `[${sign}="${CSS.escape(focused.getAttribute(sign))}"]`;
    change();
    let next = same && byId(id)?.querySelector(same);
    if (!next) {
      // Somewhere near is better than the beginning of the page.
      next = byId(id);
      next?.setAttribute("tabindex", "-1");
    }
    next?.focus({ preventScroll: true });
  }

  function apply(patch) {
    if (patch.op === "hello") {
      visitor = patch.html;
      root.classList.add("live");
      if (results) tell();
      return;
    }
    if (patch.op === "issues") {
      showIssues(patch);
      return;
    }
    const element = byId(patch.id);
    if (!element) return;
    if (patch.id === "editing" && isTyped()) return;
    if (patch.op === "put") {
      keepingFocus(element, () => {
        element.innerHTML = patch.html;
      });
      if (patch.id === "map-source") map?.load();
    } else if (patch.op === "append") {
      element.insertAdjacentHTML("beforeend", patch.html);
    } else if (patch.op === "swap") {
      const template = document.createElement("template");
      template.innerHTML = patch.html;
      keepingFocus(element, () => element.replaceWith(template.content));
      byId(patch.id)?.classList.add("fresh");
    }
  }

  async function act(values) {
    if (!visitor) return false;
    const body = new URLSearchParams([["visitor", visitor], ...values]);
    try {
      const answer = await fetch("/actions", { method: "POST", body });
      // We were forgotten: the connection brings us back with what is in the page.
      if (answer.status === 404) {
        visitor = null;
        if (byId("results")) connect();
      }
      return answer.ok;
    } catch {
      return false;
    }
  }

  // The directory

  function searchValues() {
    return {
      q: byId("q").value,
      country: byId("country")?.value ?? "",
      kind: byId("kind")?.value ?? "",
      sort: byId("sort")?.value ?? "",
    };
  }

  // How often the search was changed, and which of the changes the server knows of.
  let typed = 0;
  let told = 0;
  let telling = false;

  let again = null;
  let noting = null;

  function search() {
    typed += 1;
    if (!isWanted) connect();
    else tell();
    noteAddress();
  }

  function noteAddress() {
    clearTimeout(noting);
    const url = new URL("/", location.href);
    for (const [name, value] of Object.entries(searchValues())) {
      if (value) url.searchParams.set(name, value);
    }
    try {
      history.replaceState(null, "", url);
    } catch {
      // Some browsers allow so many in a time.
      noting = setTimeout(noteAddress, 1000);
    }
  }

  // One after the other, so that none overtakes a later one; what can't be told now is told again,
  // or when the server says hello.
  async function tell() {
    if (telling) return;
    telling = true;
    while (told !== typed) {
      const number = typed;
      if (!(await act([["do", "search"], ...Object.entries(searchValues())]))) {
        clearTimeout(again);
        if (visitor && events) again = setTimeout(tell, 1000);
        break;
      }
      told = number;
    }
    telling = false;
  }

  const sight = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      sight.disconnect();
      act([["do", "more"]]);
    },
    { rootMargin: "600px" },
  );

  function watchMore() {
    sight.disconnect();
    const idle = document.querySelector("#more .idle");
    if (idle) sight.observe(idle);
  }

  const results = byId("results");
  if (results) {
    const form = byId("search");
    byId("q").addEventListener("input", search);
    for (const id of ["country", "kind", "sort"]) byId(id)?.addEventListener("change", search);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      search();
    });
    document.addEventListener("click", (event) => {
      if (event.target.closest("[data-do=more]")) act([["do", "more"]]);
      const isForHere = !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (visitor && isForHere && event.target.closest("#results a.screen-retry")) {
        event.preventDefault();
        act([["do", "retry"]]);
      }
    });
  }

  // The way back leads to the list as this tab left it, with its search and the view of its map.
  try {
    const memory = window.sessionStorage;
    const wayBack = document.querySelector(".trail a[href='/'], .trail a[href^='/?']");
    const left = !results && wayBack && memory.getItem("list");
    if (results) addEventListener("pagehide", () => memory.setItem("list", location.search));
    if (left) Object.assign(wayBack, { search: left, textContent: "Back to the list" });
  } catch {
    // Where pages may keep nothing it leads to what the server knows of.
  }

  // The form of an airport

  function showIssues({ id, html, flag }) {
    const control = byId(id);
    const list = byId(id + "-issues");
    if (!control || !list) return;
    list.innerHTML = html;
    list.closest(".field")?.classList.toggle("field-invalid", flag);
    control.setAttribute("aria-invalid", flag ? "true" : "false");
  }

  // What somebody has typed is not replaced by what others have saved: saving then tells of both.
  // Line breaks, which names in files may have, are in no value of an input.
  function isTyped() {
    return [...byId("edit").querySelectorAll("input, option")].some((control) =>
      "selected" in control
        ? control.selected !== control.defaultSelected
        : control.value !== control.defaultValue.replace(/[\r\n]/g, ""));
  }

  byId("editing")?.addEventListener("change", (event) => {
    const name = event.target.name;
    // What is being sent takes the focus away, and so its field reports its change.
    if (!name || event.currentTarget.inert) return;
    const values = new FormData(byId("edit")).getAll(name).map((value) => ["value", value]);
    act([["do", "field"], ["name", name], ...values]);
  });

  // Another box as soon as the last one has a tag, so that several are typed before they are sent.
  byId("editing")?.addEventListener("input", ({ target }) => {
    const boxes = target.closest(".field-items")?.children;
    if (!boxes || !target.value || target !== boxes[boxes.length - 1]) return;
    const box = target.cloneNode();
    box.value = "";
    box.removeAttribute("autofocus");
    box.id = `${boxes[0].id}-${boxes.length}`;
    const label = target.getAttribute("aria-label") ?? "";
    box.setAttribute("aria-label", label.replace(/\d+$/, boxes.length + 1));
    target.after(box);
  });

  // Saving waits in the page until the server has answered, so that nothing typed is lost when the
  // server is away: a browser would show a page of its own in place of this one.

  if (byId("editing")) {
    const editing = byId("editing");
    const unsent = byId("unsent");
    let lastAttempt = 0;
    let isGoing = false;

    // What would be typed between sending and the answer would be neither saved nor kept.
    let focused = null;
    const hold = () => {
      if (!editing.inert) focused = document.activeElement;
      editing.inert = true;
    };
    const release = () => {
      editing.inert = false;
      if (document.activeElement !== document.body) return;
      if (editing.contains(focused)) focused.focus({ preventScroll: true });
    };
    let lastInput = -Infinity;
    editing.addEventListener("input", () => {
      lastInput = performance.now();
    });

    const say = (text) => {
      unsent.textContent = text;
      unsent.hidden = !text;
    };

    const go = (to) => {
      isGoing = true;
      location.assign(to);
      // The reader may have stopped it.
      setTimeout(stay, 10000);
    };
    const stay = () => {
      isGoing = false;
      release();
    };

    async function take(answer) {
      if (answer.redirected) return go(answer.url);
      const text = await answer.text();
      const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
      const page = new DOMParser().parseFromString(isPage ? text : "", "text/html");
      const draft = page.querySelector("#edit [name=draft]")?.value;
      // What is wrong with it stands in the page of the draft.
      if (draft) return go(answer.url.split("?")[0] + "?draft=" + encodeURIComponent(draft));
      const reason = isPage ? page.querySelector("#content p")?.textContent ?? "" : text;
      release();
      return say(`It was not saved. ${reason} What you typed is still here.`);
    }

    // Asks without the form, which is held only once there is somebody to take it.
    async function isAnswering() {
      try {
        const signal = AbortSignal.timeout?.(30000);
        await fetch(ownAddress, { method: "HEAD", cache: "no-store", signal });
        return true;
      } catch {
        return false;
      }
    }

    const rest = (pause) => new Promise((resume) => setTimeout(resume, pause));

    async function send(submitter) {
      const attempt = ++lastAttempt;
      // What is pressed again later takes the place of this.
      const isLast = () => attempt === lastAttempt;
      const isSave = submitter?.name !== "do";
      let pause = 500;
      while (isLast()) {
        const form = byId("edit");
        const body = new URLSearchParams(new FormData(form));
        if (!isSave) body.append("do", submitter.value);
        hold();
        try {
          // A server that takes it and is silent is asked again: it saves the same only once.
          const signal = AbortSignal.timeout?.(30000);
          const answer = await fetch(form.action, { method: "POST", body, signal });
          if (isLast()) await take(answer);
          return;
        } catch {
          if (!isLast()) return;
          release();
          say(isSave
            ? "The server can’t be reached. What you typed is still here, and is saved as soon as it answers."
            : "The server can’t be reached. What you typed is still here. Try again when it answers.");
          if (!isSave) return;
        }
        do {
          await rest(pause);
          pause = Math.min(8000, 2 * pause);
        } while (isLast() && !(await isAnswering()));
        // Not in the middle of a word: half of it would be saved.
        for (let more; (more = lastInput + 1000 - performance.now()) > 0;) await rest(more);
      }
    }

    byId("content").addEventListener("submit", (event) => {
      if (event.target.id !== "edit") return;
      event.preventDefault();
      send(event.submitter);
    });

    // The server says whether there is something to start again from: what it took is not saved yet.
    const isUnsaved = () =>
      isTyped() || byId("tools").querySelector("[value=reset]")?.dataset.off !== "true";
    // A browser asks only a person who has done something in the page, and complains otherwise.
    const isUsed = () => navigator.userActivation?.hasBeenActive ?? true;
    addEventListener("beforeunload", (event) => {
      if (!isGoing && isUsed() && isUnsaved()) event.preventDefault();
    });
    // Also called after the first load, when a save may be under way.
    addEventListener("pageshow", (event) => {
      if (event.persisted) stay();
    });
  }

  // The import

  const importForm = byId("import-form");
  if (importForm) {
    const file = byId("file");
    let isSending = false;
    const refuse = (text) => {
      const note = document.createElement("p");
      note.className = "note bad";
      note.setAttribute("role", "alert");
      note.textContent = text;
      byId("import-refusal").replaceChildren(...(text ? [note] : []));
    };
    const send = async (files, submitter) => {
      if (isSending || !files.length) return;
      if (files.length > 1) return refuse("That was more than one file. Import them one by one.");
      if (files[0].size > Number(importForm.dataset.limit)) {
        return refuse(importForm.dataset.tooLarge);
      }
      refuse("");
      isSending = true;
      const body = new FormData();
      body.append("file", files[0]);
      if (submitter?.name) body.append(submitter.name, submitter.value);
      try {
        const answer = await fetch(importForm.action, { method: "POST", body });
        if (answer.ok) {
          importForm.reset();
        } else {
          // The answer is this page; all that it says besides comes by itself.
          const page = new DOMParser().parseFromString(await answer.text(), "text/html");
          refuse(page.querySelector("#import-refusal")?.textContent || "It was not taken.");
        }
      } catch {
        refuse("The file did not get to the server. Is it running? Send the file again.");
      }
      isSending = false;
    };
    importForm.addEventListener("submit", (event) => {
      event.preventDefault();
      send(file.files, event.submitter);
    });
    // The form with the file is sent by itself, above; these are the buttons around it.
    byId("content").addEventListener("submit", async (event) => {
      if (!events || event.target === importForm) return;
      event.preventDefault();
      const body = new URLSearchParams([["do", event.submitter.value]]);
      refuse("");
      try {
        await fetch(importForm.action, { method: "POST", body });
      } catch {
        refuse("The server can’t be reached. Try again when it is.");
      }
    });
    let depth = 0;
    const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
    const show = () => importForm.classList.toggle("over", depth > 0);
    document.addEventListener("dragenter", (event) => {
      if (holdsFiles(event)) depth += 1;
      show();
    });
    document.addEventListener("dragleave", (event) => {
      if (holdsFiles(event)) depth = Math.max(0, depth - 1);
      show();
    });
    // A file that is dropped beside the form must not take the place of the page.
    document.addEventListener("dragover", (event) => {
      if (holdsFiles(event)) event.preventDefault();
    });
    document.addEventListener("drop", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth = 0;
      show();
      send(event.dataTransfer.files);
    });
  }

  const map = byId("map") && window.HTMLCanvasElement ? globalThis.makeMap?.(byId("map")) : null;

  // Pages other than the first keep their place in the list until somebody searches.
  if (address && !(results && results.dataset.page !== "1")) connect();
})();
