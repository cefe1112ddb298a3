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
              if (pulse) pulse.textContent = isPaused ? "Refreshing is stopped." : "Live";
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
        let held = null;
        const place = (html) => {
          const focus = document.activeElement;
          const inside = focus && live.contains(focus) ? focus : null;
          const address = inside && inside.getAttribute("href");
          const box = inside && inside.closest("details");
          const open = new Map();
          for (const details of live.querySelectorAll("details[id]")) open.set(details.id, details.open);
          live.innerHTML = html;
          for (const [id, isOpen] of open) {
            const details = document.getElementById(id);
            if (details) details.open = isOpen;
          }
          if (!inside) return;
          const again = address ? live.querySelector(`[href="${CSS.escape(address)}"]`)
            : box && box.id ? document.getElementById(box.id)?.querySelector("summary") : null;
          if (again) again.focus({ preventScroll: true });
        };
        const selecting = () => {
          const selection = document.getSelection();
          return selection && !selection.isCollapsed && live.contains(selection.anchorNode);
        };
        const lost = (text) => {
          failures += 1;
          document.documentElement.classList.add("lost");
          pulse.textContent = text;
        };
        const show = (part) => {
          if (part.problem) return lost(part.problem);
          // The first part says what is shown already, give or take a second.
          if (part.html !== undefined && part.html !== null) {
            if (selecting()) held = part.html;
            else { held = null; place(part.html); }
          }
          tag = part.tag;
          failures = 0;
          document.documentElement.classList.remove("lost");
          if (pulse.textContent !== "Live") pulse.textContent = "Live";
          asOf.textContent = ` · ${part.time} UTC`;
        };
        document.addEventListener("selectionchange", () => {
          if (held === null || selecting()) return;
          const html = held;
          held = null;
          place(html);
        });
        stop = () => { source?.close(); source = null; };
        const follow = () => {
          const here = new EventSource(`${live.dataset.live}&tag=${tag}`);
          let isHeard = false;
          source = here;
          here.onmessage = (event) => { isHeard = true; show(JSON.parse(event.data)); };
          here.onerror = () => {
            here.close();
            if (source !== here) return;
            source = null;
            // No place for a stream, or a server that carries none: it is asked again and again.
            if (!isHeard) noStreamsUntil = Date.now() + 60000;
            else lost("The connection is lost. Trying again…");
          };
        };
        const ask = async () => {
          try {
            const answer = await fetch(`${live.dataset.live}&tag=${tag}`);
            if (!answer.ok) throw new Error(String(answer.status));
            show(await answer.json());
          } catch {
            lost("The connection is lost. Trying again…");
          }
        };
        const look = async () => {
          if (document.hidden || isPaused) stop();
          else if (source === null && failures === 0 && Date.now() >= noStreamsUntil) follow();
          else if (source === null && !selecting()) await ask();
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
