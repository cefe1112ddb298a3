#if Inspector
  /// The script and the style sheet, as text: a resource would make every consumer carry a folder.
  enum InspectorAssets {
    /// Keeps the live part of a page current; pages work without it.
    static let script = #"""
      "use strict";
      (() => {
        const live = document.getElementById("live");
        const pulse = document.getElementById("pulse");
        const find = document.getElementById("find");
        document.addEventListener("keydown", (event) => {
          const typing = /^(input|textarea|select)$/i.test(event.target.tagName);
          if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            find.focus();
          }
        });
        if (!live || !live.dataset.live) return;
        let tag = "";
        let failures = 0;
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
        const look = async () => {
          if (!document.hidden && !selecting()) {
            try {
              const answer = await fetch(`${live.dataset.live}&tag=${tag}`);
              if (!answer.ok) throw new Error(String(answer.status));
              const part = await answer.json();
              // The first answer says what is shown already, give or take a second.
              if (part.html !== undefined && part.html !== null) place(part.html);
              tag = part.tag;
              failures = 0;
              document.documentElement.classList.remove("lost");
              pulse.textContent = `Live · ${part.time} UTC`;
            } catch {
              failures += 1;
              document.documentElement.classList.add("lost");
              pulse.textContent = "The connection is lost. Trying again…";
            }
          }
          setTimeout(look, Math.min(2000 * 2 ** failures, 30000));
        };
        document.addEventListener("visibilitychange", () => { failures = 0; });
        setTimeout(look, 2000);
      })();
      """#
  }
#endif
