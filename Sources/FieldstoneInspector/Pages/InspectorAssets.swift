#if INSPECTOR
  /// The script and the style sheet as text; as resources they would require a bundle in every
  /// consumer.
  enum InspectorAssets {
    /// Updates the live part of a page; pages work without it.
    static let script = #"""
      "use strict";
      (() => {
        const live = document.getElementById("live");
        const pulse = document.getElementById("pulse");
        const find = document.getElementById("find");
        let isPaused = false;
        let isGoing = false;
        let stop = () => {};
        // A screen reader speaks each change, so the same words are not set again.
        const say = (text) => { if (pulse.textContent !== text) pulse.textContent = text; };
        const rows = () => [...document.querySelectorAll("main tbody tr a:first-of-type")]
          .filter((link, index, all) => all.findIndex((a) => a.closest("tr") === link.closest("tr")) === index);
        const step = (distance) => {
          const links = rows();
          if (links.length === 0) return;
          const here = links.indexOf(document.activeElement);
          const next = here < 0 ? (distance > 0 ? 0 : links.length - 1) : here + distance;
          links[Math.min(Math.max(next, 0), links.length - 1)].focus();
        };
        const open = (name) => document.querySelector(`[data-key="${name}"]`)?.click();
        document.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (/^(input|textarea|select)$/i.test(event.target.tagName)) return;
          const wasGoing = isGoing;
          isGoing = false;
          if (wasGoing && /^[orsltcmw]$/.test(event.key)) return open(event.key);
          switch (event.key) {
            case "/": find.focus(); break;
            case "?": document.getElementById("keys").click(); break;
            case "g": isGoing = true; break;
            case "j": step(1); break;
            case "k": step(-1); break;
            case ".":
              isPaused = !isPaused;
              if (pulse) say(isPaused ? "Refreshing is stopped." : "Live");
              if (isPaused) stop();
              break;
            default: return;
          }
          event.preventDefault();
        });
        if (!live || !live.dataset.live) return;
        const asOf = document.getElementById("as-of");
        let tag = "";
        let failures = 0;
        let source = null;
        let noStreamsUntil = "EventSource" in window ? 0 : Infinity;
        // What has come and is not in the page yet.
        let held = null;
        let heldWords = null;
        // Identifies a node among its siblings, so that a new row does not take the place of another.
        const key = (node) => {
          if (node.nodeType !== 1) return node.nodeName;
          const own = ["id", "aria-label", "action", "href", "src"].map((name) => node.getAttribute(name));
          const inner = /^(TR|LI)$/.test(node.nodeName)
            ? node.querySelector("details[id], button[aria-label], a[href]") : null;
          return [
            node.nodeName, own.find(Boolean) || inner?.id || inner?.getAttribute("aria-label")
              || inner?.getAttribute("href") || node.cells?.[0]?.textContent
              || node.querySelector(":scope > h2, :scope > dt")?.textContent,
          ].join(" ");
        };
        // Nodes that are kept have their scroll places, their focus, their input and their pictures.
        const mergeChildren = (old, next) => {
          const known = new Map();
          for (const child of old.childNodes) {
            const name = key(child);
            if (known.has(name)) known.get(name).push(child);
            else known.set(name, [child]);
          }
          const pairs = [...next.childNodes].map((child) => [child, known.get(key(child))?.shift()]);
          for (const gone of known.values()) for (const child of gone) child.remove();
          let at = old.firstChild;
          for (const [child, twin] of pairs) {
            if (!twin) old.insertBefore(child, at);
            else {
              if (twin === at) at = at.nextSibling;
              else old.insertBefore(twin, at);
              merge(twin, child);
            }
          }
        };
        // The radio buttons that the reader has pressed since they came.
        let pressed = [];
        // The reader opens details and chooses among radio buttons; an update leaves both.
        const isReaders = (node, name) => name === "open" || (name === "checked"
          && pressed.some((radio) => radio.form === node.form && radio.name === node.name));
        const merge = (old, next) => {
          if (old.isEqualNode(next)) return;
          if (old.nodeType !== 1) { old.nodeValue = next.nodeValue; return; }
          for (const { name, value } of next.attributes) {
            if (isReaders(old, name) || old.getAttribute(name) === value) continue;
            old.setAttribute(name, value);
          }
          for (const { name } of [...old.attributes]) {
            if (!next.hasAttribute(name) && !isReaders(old, name)) old.removeAttribute(name);
          }
          mergeChildren(old, next);
        };
        const place = (html) => {
          const inside = live.contains(document.activeElement) ? document.activeElement : null;
          const template = document.createElement("template");
          template.innerHTML = html;
          pressed = [...live.querySelectorAll("input[type=radio]")]
            .filter((radio) => radio.checked && !radio.defaultChecked);
          mergeChildren(live, template.content);
          if (!inside || inside === document.activeElement) return;
          // A node that was moved or made anew has lost the focus.
          const address = inside.getAttribute("href");
          const again = inside.isConnected ? inside
            : address ? live.querySelector(`[href="${CSS.escape(address)}"]`) : null;
          if (again) again.focus({ preventScroll: true });
        };
        // Between two versions of the page only the words of its times change.
        const speak = (words) => {
          const times = live.querySelectorAll("time");
          if (times.length !== words.length) return;
          words.forEach((text, at) => {
            if (times[at].textContent !== text) times[at].textContent = text;
          });
        };
        let isPressed = false;
        const isHeld = () => {
          const selection = document.getSelection();
          return isPressed
            || (selection && !selection.isCollapsed && live.contains(selection.anchorNode));
        };
        const letGo = () => {
          if ((held === null && heldWords === null) || isPaused || isHeld()) return;
          const [html, words] = [held, heldWords];
          [held, heldWords] = [null, null];
          if (html !== null) place(html);
          if (words !== null) speak(words);
        };
        document.addEventListener("selectionchange", letGo);
        live.addEventListener("pointerdown", () => { isPressed = true; });
        const release = () => {
          if (!isPressed) return;
          isPressed = false;
          // After the click that follows.
          setTimeout(letGo);
        };
        addEventListener("pointerup", release);
        addEventListener("pointercancel", release);
        // A dragged scroll bar may send no pointerup.
        addEventListener("pointermove", (event) => { if (event.buttons === 0) release(); });
        const lost = (text) => {
          if (isPaused) return;
          failures += 1;
          document.documentElement.classList.add("lost");
          say(text);
        };
        const show = (part) => {
          // It was asked for before refreshing was stopped.
          if (isPaused) return;
          if (part.problem) return lost(part.problem);
          // The first part says what is shown already, give or take a second.
          tag = part.tag;
          held = part.html ?? held;
          heldWords = part.words ?? (part.html ? null : heldWords);
          letGo();
          failures = 0;
          document.documentElement.classList.remove("lost");
          const isShown = held === null && heldWords === null;
          say(isShown ? "Live" : "Waits while you select.");
          if (isShown) asOf.textContent = ` · ${part.time} UTC`;
        };
        stop = () => { source?.close(); source = null; };
        let isHeard = false;
        // How often a look has found nothing new in the stream, which has a message each second.
        let silentLooks = 0;
        const leave = (text) => {
          stop();
          // No place for a stream, or none gets through: it is asked again and again.
          if (!isHeard) noStreamsUntil = Date.now() + 60000;
          else lost(text);
        };
        const follow = () => {
          const here = new EventSource(`${live.dataset.live}&tag=${tag}`);
          source = here;
          isHeard = false;
          silentLooks = 0;
          here.onmessage = (event) => {
            isHeard = true;
            silentLooks = 0;
            show(JSON.parse(event.data));
          };
          here.onerror = () => {
            if (source === here) leave("The connection is lost. Trying again…");
          };
        };
        const ask = async () => {
          try {
            // A server that takes the question and is silent must not hold up the next look.
            const signal = AbortSignal.timeout?.(30000);
            const answer = await fetch(`${live.dataset.live}&tag=${tag}`, { signal });
            if (!answer.ok) throw new Error(String(answer.status));
            show(await answer.json());
          } catch {
            lost("The connection is lost. Trying again…");
          }
        };
        const look = async () => {
          if (document.hidden || isPaused) stop();
          else if (source !== null) {
            silentLooks += 1;
            if (silentLooks > 5) leave("No answer for 10 s. Trying again…");
          } else if (failures === 0 && Date.now() >= noStreamsUntil) follow();
          else await ask();
          setTimeout(look, Math.min(2000 * 2 ** failures, 30000));
        };
        document.addEventListener("visibilitychange", () => {
          failures = 0;
          if (document.hidden) stop();
        });
        setTimeout(look, 300);
      })();
      """#
  }
#endif
