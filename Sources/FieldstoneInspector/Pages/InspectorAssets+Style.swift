#if INSPECTOR
  extension InspectorAssets {
    /// The style sheet: light and dark, for phones and wide screens.
    static let style = """
      :root {
        color-scheme: light dark;
        --ground: #f6f6f4; --surface: #ffffff; --ink: #1c1f24; --quiet: #5c636e; --line: #e3e2de;
        --edge: #8d929b; --accent: #23598f; --on-accent: #ffffff; --tint: #edf2f8;
        --dead: #a8201a; --dead-tint: #fbe9e7; --blocked: #8a5200; --blocked-tint: #fbf0d9;
        --running: #1a5fa8; --running-tint: #e4eefa; --ready: #4a5160; --ready-tint: #eceef1;
        --completed: #1d6a3a; --completed-tint: #e5f3ea; --cancelled: #6a6570; --cancelled-tint: #efedf1;
        --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
        --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "Liberation Mono", monospace;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --ground: #131519; --surface: #1a1d22; --ink: #e7e9ec; --quiet: #a0a7b2; --line: #2b2f37;
          --edge: #727a86; --accent: #8abdf2; --on-accent: #0d2136; --tint: #1e2a38;
          --dead: #ff9d92; --dead-tint: #3b201e; --blocked: #f2bd6b; --blocked-tint: #372a12;
          --running: #8abdf2; --running-tint: #1a2b3f; --ready: #b9c0cb; --ready-tint: #282c34;
          --completed: #8ed5a5; --completed-tint: #19301f; --cancelled: #b4adbc;
          --cancelled-tint: #2a272f;
        }
      }
      *, *::before, *::after { box-sizing: border-box; }
      html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
      body {
        margin: 0; background: var(--ground); color: var(--ink);
        font: 0.9rem/1.45 var(--sans); overflow-wrap: anywhere;
      }
      .measure { width: 100%; max-width: 84rem; margin-inline: auto; padding-inline: 1.25rem; }
      a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: from-font; }
      :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
      main { padding-block: 1.1rem 2rem; }
      main:focus { outline: none; }
      h1 { margin: 0; font-size: 1.35rem; line-height: 1.25; letter-spacing: -0.01em; }
      main > h1:has(+ #live) { margin-bottom: 0.8rem; }
      h2 {
        margin: 1.6rem 0 0.5rem; color: var(--quiet); font-size: 0.8rem; font-weight: 650;
        letter-spacing: 0.02em;
      }
      code, .id, pre { font-family: var(--mono); font-size: 0.92em; }
      .quiet, .note, small { color: var(--quiet); }
      .note { margin: 0.4rem 0; font-size: 0.82rem; }
      .links { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
      .unseen {
        position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
        white-space: nowrap;
      }
      .skip {
        position: absolute; left: 1.25rem; top: 0; z-index: 2; padding: 0.5rem 0.9rem;
        background: var(--accent); color: var(--on-accent); border-radius: 0 0 8px 8px;
        transform: translateY(-110%);
      }
      .skip:focus { transform: none; }
      html { scroll-padding-top: 4rem; }
      .top { position: sticky; top: 0; z-index: 1; background: var(--surface);
        border-bottom: 1px solid var(--line); }
      .top .measure {
        display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 1.25rem;
        padding-block: 0.45rem;
      }
      .brand {
        display: inline-flex; align-items: center; gap: 0.55rem; min-height: 2.4rem;
        color: var(--ink); font-weight: 650; font-size: 1rem; text-decoration: none;
      }
      .top nav { display: flex; flex-wrap: wrap; gap: 0.15rem; }
      .top nav a {
        display: inline-flex; align-items: center; min-height: 2.4rem; padding-inline: 0.7rem;
        border-radius: 7px; color: var(--quiet); text-decoration: none; font-weight: 550;
        white-space: nowrap;
      }
      .top nav a:hover { background: var(--tint); }
      .top nav a[aria-current] { color: var(--ink); background: var(--tint); }
      .read-only {
        padding: 0.1rem 0.5rem; border: 1px solid var(--edge); border-radius: 99px;
        color: var(--quiet); font-size: 0.78rem;
      }
      .find { display: flex; gap: 0.4rem; margin-left: auto; flex: 0 1 22rem; }
      .find input { flex: 1; min-width: 0; }
      input:not([type="checkbox"]), textarea, select {
        min-height: 2.4rem; padding: 0.3rem 0.65rem; border: 1px solid var(--edge); border-radius: 7px;
        background: var(--surface); color: var(--ink); font: inherit;
      }
      input::placeholder { color: var(--quiet); opacity: 1; }
      textarea { width: 100%; font: 0.88rem/1.45 var(--mono); resize: vertical; }
      button, .button {
        display: inline-flex; align-items: center; justify-content: center; min-height: 2.4rem;
        padding: 0 0.9rem; border: 1px solid var(--edge); border-radius: 7px;
        background: var(--surface); color: var(--ink); font: inherit; font-weight: 550;
        text-decoration: none; cursor: pointer; white-space: nowrap;
      }
      button:hover, .button:hover { background: var(--tint); }
      .primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
      .primary:hover { background: var(--accent); filter: brightness(1.1); }
      .danger { border-color: var(--dead); color: var(--dead); }
      .primary.danger { background: var(--dead); color: var(--surface); }
      .buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 0.45rem; }
      .state {
        display: inline-flex; align-items: center; gap: 0.4em; padding: 0.08rem 0.55rem 0.08rem 0.45rem;
        border-radius: 99px; background: var(--of-tint); color: var(--of); font-size: 0.8rem;
        font-weight: 600; line-height: 1.45; white-space: nowrap;
      }
      .state::before {
        content: ""; width: 0.55em; height: 0.55em; border: 1.5px solid var(--of); border-radius: 50%;
      }
      .state.running::before, .state.completed::before { background: var(--of); }
      .state.dead::before { background: var(--of); border-radius: 1px; }
      .state.blocked::before { border-radius: 1px; }
      .state.paused::before { border-width: 0 2px; border-radius: 0; width: 0.5em; }
      .paused { --of: var(--blocked); --of-tint: var(--blocked-tint); }
      .dead { --of: var(--dead); --of-tint: var(--dead-tint); }
      .blocked { --of: var(--blocked); --of-tint: var(--blocked-tint); }
      .running { --of: var(--running); --of-tint: var(--running-tint); }
      .ready { --of: var(--ready); --of-tint: var(--ready-tint); }
      .completed { --of: var(--completed); --of-tint: var(--completed-tint); }
      .cancelled { --of: var(--cancelled); --of-tint: var(--cancelled-tint); }
      .tiles {
        display: grid; grid-template-columns: repeat(6, 1fr); margin: 0; padding: 0; list-style: none;
        background: var(--surface); border: 1px solid var(--line); border-radius: 10px; overflow: hidden;
      }
      .tiles li + li { border-left: 1px solid var(--line); }
      .tiles a { display: block; padding: 0.75rem 1rem; color: inherit; text-decoration: none; }
      .tiles a:hover { background: var(--tint); }
      .tiles a:focus-visible { outline-offset: -3px; }
      .figure {
        display: block; margin-bottom: 0.25rem; font-size: 1.6rem; font-weight: 600; line-height: 1.2;
        letter-spacing: -0.02em; font-variant-numeric: tabular-nums;
      }
      .tiles .none .figure { color: var(--quiet); font-weight: 400; }
      .tiles .dead:not(.none) .figure, .tiles .blocked:not(.none) .figure { color: var(--of); }
      .charts {
        display: grid; grid-template-columns: repeat(3, 1fr); background: var(--surface);
        border: 1px solid var(--line); border-radius: 10px; overflow: hidden;
      }
      .chart { margin: 0; padding: 0.7rem 1rem 0.6rem; min-width: 0; }
      .chart + .chart { border-left: 1px solid var(--line); }
      .chart figcaption { display: flex; align-items: baseline; justify-content: space-between;
        gap: 0.5rem; color: var(--quiet); font-size: 0.82rem; }
      .chart .figure { margin: 0; color: var(--ink); font-size: 1.15rem; }
      .chart.none .figure { color: var(--quiet); font-weight: 400; }
      .chart svg { display: block; width: 100%; height: 3rem; margin-top: 0.35rem; }
      .chart .bars { fill: var(--of); }
      .chart .ground { stroke: var(--edge); stroke-width: 1; vector-effect: non-scaling-stroke; }
      .scale { display: flex; justify-content: space-between; gap: 0.5rem; margin: 0.25rem 0 0;
        font-size: 0.74rem; }
      .figures { margin-top: 0.4rem; }
      .figures summary { display: inline-flex; min-height: 2rem; margin: 0; padding: 0 0.5rem 0 0.2rem;
        color: var(--quiet); font-size: 0.82rem; border-radius: 7px; }
      .figures table, .workers { width: auto; min-width: min(30rem, 100%); }
      table {
        width: 100%; border-collapse: separate; border-spacing: 0; background: var(--surface);
        border: 1px solid var(--line); border-radius: 10px;
      }
      .scroll { overflow-x: auto; border-radius: 10px; }
      th, td { padding: 0.42rem 0.8rem; text-align: left; vertical-align: baseline; }
      tr + tr > *, tbody > tr:first-child > * { border-top: 1px solid var(--line); }
      thead th { color: var(--quiet); font-size: 0.78rem; font-weight: 550; white-space: nowrap; }
      tbody th { font-weight: 550; white-space: nowrap; overflow-wrap: normal; }
      .number { text-align: right; font-variant-numeric: tabular-nums; }
      .flows a.dead, .flows a.blocked { color: var(--of); font-weight: 650; }
      .flows td a { color: var(--ink); text-decoration-color: var(--edge); }
      .runs tbody tr:hover { background: var(--tint); }
      .runs tbody tr:last-child td:first-child { border-bottom-left-radius: 10px; }
      .runs tbody tr:last-child td:last-child { border-bottom-right-radius: 10px; }
      .at-run { min-width: 9rem; }
      .at-run a { display: block; font-weight: 600; }
      .at-run a.id { white-space: nowrap; }
      .at-run .quiet { display: block; font-size: 0.74rem; white-space: nowrap; }
      .at-flow, .at-start, .at-stage { white-space: nowrap; }
      .at-start { color: var(--quiet); }
      .runs td.at-more { white-space: nowrap; }
      .runs td.at-more.detail { min-width: 12rem; white-space: normal; }
      .columns { margin: 0; }
      .columns[open] { flex-basis: 100%; }
      .columns .filters { margin: 0.3rem 0 0; }
      .tiles.three { grid-template-columns: repeat(3, 1fr); }
      .tiles li > div { padding: 0.75rem 1rem; }
      .at-standing { width: 38%; }
      .sequence { color: var(--quiet); font-variant-numeric: tabular-nums; }
      .error { color: var(--dead); }
      .more { margin: 0.5rem 0 0; }
      .nothing {
        margin: 0; padding: 1.6rem; border: 1px dashed var(--line); border-radius: 10px;
        color: var(--quiet); text-align: center;
      }
      .filters {
        display: flex; flex-wrap: wrap; align-items: end; gap: 0.6rem 0.8rem; margin: 0 0 0.9rem;
      }
      .filters label > span:not(.state) {
        display: block; margin-bottom: 0.15rem; color: var(--quiet); font-size: 0.78rem;
      }
      .filters .choice > span:not(.state) { margin: 0; font-size: 0.85rem; }
      .filters input:not([type]) { width: 8rem; }
      .filters input[placeholder] { width: 10rem; }
      .filters fieldset {
        display: flex; flex-wrap: wrap; gap: 0.1rem 0.5rem; margin: 0; padding: 0; border: 0;
      }
      .choice { display: inline-flex; align-items: center; gap: 0.35rem; min-height: 2.4rem; }
      input[type="checkbox"] { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }
      .pages { display: flex; gap: 0.5rem; margin-top: 0.8rem; }
      .heading { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.8rem; }
      .standing { flex-basis: 100%; margin: 0; font-size: 1rem; }
      .actions { margin-top: 0.8rem; }
      .advice { flex-basis: 100%; margin: 0; }
      #live > .actions + .tiles { margin-top: 0.9rem; }
      .facts.wide div { grid-template-columns: 6.5rem 1fr; }
      .facts.wide { margin-top: 0; }
      .button.small { min-height: 1.9rem; padding: 0 0.65rem; font-size: 0.82rem; }
      .pauses td:last-child:not(.detail) { text-align: right; }
      .limits td .quiet { display: block; }
      .schedules th .quiet { display: block; font-weight: 400; font-size: 0.85rem; white-space: normal; }
      .schedules .buttons { margin: 0; flex-wrap: nowrap; justify-content: flex-end; }
      .key-pause { margin: 0.8rem 0 0; }
      #live > .standing { margin-top: 0.9rem; }
      .facts {
        display: grid; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr));
        gap: 0.5rem 1.5rem; margin: 1rem 0 0; padding: 0.9rem 1rem; background: var(--surface);
        border: 1px solid var(--line); border-radius: 10px;
      }
      .facts div { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0.5rem; min-width: 0; }
      .facts div:has(pre) { grid-column: 1 / -1; }
      dt { color: var(--quiet); }
      dd { margin: 0; min-width: 0; }
      pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
      progress { width: 9rem; max-width: 100%; vertical-align: middle; accent-color: var(--accent); }
      .log {
        margin: 0; padding: 0.6rem 1rem; max-height: 26rem; overflow: auto; list-style: none;
        background: var(--surface); border: 1px solid var(--line); border-radius: 10px;
      }
      .log li { display: flex; flex-wrap: wrap; gap: 0 0.8rem; padding-block: 0.1rem; }
      .log .quiet { min-width: 4.5rem; }
      .log .text { flex: 1 1 20rem; font-family: var(--mono); font-size: 0.92em; }
      .log .of-runner .text { font-style: italic; }
      .chain {
        margin: 0; padding: 0; list-style: none; background: var(--surface);
        border: 1px solid var(--line); border-radius: 10px;
      }
      .chain li + li { border-top: 1px solid var(--line); }
      .chain details { padding: 0 1rem; }
      .chain details[open] { padding-bottom: 0.6rem; }
      summary {
        display: grid; align-items: center; gap: 0 0.8rem; min-height: 2.3rem; margin: 0 -1rem;
        padding: 0.2rem 1rem; cursor: pointer; list-style: none;
        grid-template-columns: 0.8rem 3.4rem minmax(7rem, 14rem) 6.2rem 5.5rem 7.5rem 5rem minmax(4rem, 1fr);
      }
      summary::-webkit-details-marker { display: none; }
      summary::before {
        content: ""; width: 0.4rem; height: 0.4rem; border: solid var(--quiet);
        border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg);
      }
      details[open] > summary::before { transform: rotate(45deg); }
      summary:hover { background: var(--tint); }
      summary .name { font-weight: 600; }
      summary .sequence { text-align: right; }
      summary .how, summary .began, summary .took, summary .attempts { color: var(--quiet); }
      summary .took { text-align: right; font-variant-numeric: tabular-nums; }
      .edited summary .how { color: var(--blocked); font-weight: 600; }
      .bar { width: 100%; height: 0.5rem; border-radius: 3px; background: var(--ground); }
      .bar rect { fill: var(--edge); }
      .bar .wait { fill: var(--line); }
      .current .bar rect { fill: var(--of); }
      .bar .mark, .current .bar .mark { fill: var(--dead); }
      .axis { text-align: right; }
      .copy .json { max-height: 16rem; }
      .json, .error:is(pre) {
        margin: 0.4rem 0; padding: 0.55rem 0.75rem; border-radius: 7px; background: var(--ground);
        line-height: 1.5; max-height: 32rem; overflow: auto;
      }
      pre.error { background: var(--dead-tint); font-size: 0.86rem; }
      .json { font-size: 0.84rem; }
      #live > section > .json { border: 1px solid var(--line); background: var(--surface); }
      .json b { color: var(--accent); font-weight: 500; }
      .json ins, .json del { display: block; margin: 0 -0.75rem; padding: 0 0.75rem; text-decoration: none; }
      .json ins { background: var(--completed-tint); color: var(--completed); }
      .json del { background: var(--dead-tint); color: var(--dead); }
      .json ins b, .json del b { color: inherit; }
      .path figure { margin: 0; }
      .path img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line);
        border-radius: 10px; }
      .action { max-width: 52rem; }
      .action form { margin-top: 1rem; display: grid; gap: 0.9rem; }
      .action > .button { margin-top: 1rem; }
      .action form > .note { margin: -0.5rem 0 0; }
      .again {
        margin-top: 0.8rem; padding: 0 1rem; overflow: hidden; border: 1px solid var(--line);
        border-radius: 10px;
      }
      .again[open] { padding-bottom: 1rem; }
      .again summary { grid-template-columns: 0.8rem 1fr; }
      .again form { margin-top: 0.5rem; }
      .action + #live > .changes { margin-top: 1rem; }
      .action label > span { display: block; margin-bottom: 0.2rem; font-weight: 600; }
      .action label input { width: min(100%, 28rem); }
      .action small { display: block; margin-top: 0.2rem; }
      .effect { font-size: 1rem; }
      .action .json { background: var(--surface); }
      .banner {
        margin: 0 0 0.9rem; padding: 0.55rem 0.9rem; border-radius: 8px;
        background: var(--completed-tint); color: var(--ink);
      }
      .banner.bad { background: var(--dead-tint); }
      footer {
        display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; padding-block: 0.6rem 1.4rem;
        color: var(--quiet); font-size: 0.8rem;
      }
      footer a { white-space: nowrap; }
      .lost #pulse { color: var(--dead); font-weight: 600; }
      .tone-plain { --of: var(--ready); --of-tint: var(--ready-tint); }
      .tone-busy { --of: var(--running); --of-tint: var(--running-tint); }
      .tone-good { --of: var(--completed); --of-tint: var(--completed-tint); }
      .tone-bad { --of: var(--dead); --of-tint: var(--dead-tint); }
      .tone-stopped { --of: var(--cancelled); --of-tint: var(--cancelled-tint); }
      .state.tone-busy::before, .state.tone-good::before { background: var(--of); }
      .state.tone-bad::before { background: var(--of); border-radius: 1px; }
      .event { color: var(--of); font-weight: 550; }
      .events .at-time { color: var(--quiet); font-family: var(--mono); font-size: 0.8rem;
        white-space: nowrap; }
      .at-source { white-space: nowrap; }
      .at-source .quiet { margin-left: 0.5em; font-size: 0.78rem; }
      .at-phase { white-space: nowrap; }
      .detail { color: var(--quiet); width: 50%; }
      .events .detail { width: 40%; }
      .schedules .detail, .announced .detail, .limits .detail { width: auto; }
      .errors td.error { width: 62%; color: var(--ink); }
      .rows td { font-size: 0.86rem; }
      .rows td:first-child { white-space: nowrap; }
      .forced { padding: 0.05rem 0.4rem; border-radius: 5px; background: var(--blocked-tint);
        color: var(--blocked); font-weight: 600; }
      .buttons form { display: contents; }
      .tools { margin: 0 0 0.9rem; }
      .force { margin-top: 0.8rem; }
      .force fieldset {
        display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.9rem; margin: 0;
        padding: 0.3rem 0.9rem 0.5rem; border: 1px solid var(--line); border-radius: 10px;
        background: var(--surface);
      }
      .force legend { color: var(--quiet); font-size: 0.8rem; }
      .force input[type="number"] { width: 5rem; }
      input[type="radio"] { width: 1rem; min-height: 0; height: 1rem; margin: 0;
        accent-color: var(--accent); }
      kbd { padding: 0.05rem 0.4rem; border: 1px solid var(--edge); border-radius: 5px;
        font: 0.85rem var(--mono); }
      @media (min-width: 48.01rem) {
        .at-flow, .at-stage { max-width: clamp(6.5rem, 50vw - 27rem, 14rem); overflow: hidden;
          text-overflow: ellipsis; }
      }
      @media (min-width: 48.01rem) and (max-width: 63.99rem) {
        .at-run .quiet { display: none; }
        .at-start { white-space: normal; }
        .at-standing { min-width: 9rem; }
      }
      @media (min-width: 64rem) {
        .at-standing { min-width: clamp(11rem, 50vw - 21rem, 14rem); }
        .schedules td, .announced td { min-width: 6.5rem; }
        td time { white-space: nowrap; }
      }
      @media (max-width: 48rem) {
        .measure { padding-inline: 0.9rem; }
        .top { position: static; }
        .top nav { gap: 0; margin-inline: -0.4rem; }
        .top nav a { padding-inline: 0.4rem; }
        .find { flex: 1 1 100%; }
        .find input, .find button, .top nav a, .button, .button.small, button {
          min-height: 2.75rem; }
        /* A telephone enlarges the page for a control with smaller letters, and leaves it so. */
        input:not([type="checkbox"]), select, textarea { font-size: 1rem; }
        .tiles { grid-template-columns: repeat(3, 1fr); }
        .tiles li:nth-child(4) { border-left: 0; }
        .tiles li:nth-child(n + 4) { border-top: 1px solid var(--line); }
        .tiles a { padding: 0.6rem 0.7rem; }
        .figure { font-size: 1.25rem; }
        .charts { grid-template-columns: 1fr; }
        .chart + .chart { border-left: 0; border-top: 1px solid var(--line); }
        .chart svg { height: 2.4rem; }
        .figures summary { min-height: 2.75rem; padding-inline: 0.2rem; }
        .figures table, .workers { width: 100%; }
        .figures th, .figures td { padding-inline: 0.5rem; white-space: normal; }
        .runs thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .runs, .runs tbody { display: block; }
        .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .cards, .cards tbody { display: block; }
        .cards tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.05rem 0.7rem;
          padding: 0.55rem 0.8rem; }
        .cards tr + tr { border-top: 1px solid var(--line); }
        .cards tr > * { padding: 0; border: 0 !important; }
        .cards .detail { flex-basis: 100%; width: auto; }
        .rows td { min-width: 5rem; max-width: 18rem; overflow-wrap: break-word; }
        .cards a { padding-block: 0.2rem; }
        .at-time { order: 2; }
        .at-source { white-space: normal; }
        .runs tr { display: grid; grid-template-columns: 1fr auto; gap: 0.05rem 0.8rem;
          padding: 0.6rem 0.8rem; }
        .runs tr + tr { border-top: 1px solid var(--line); }
        .runs tr > td { display: block; padding: 0; border: 0; }
        .at-run { order: -2; }
        .at-run a { padding-block: 0.2rem; }
        .at-state { order: -1; justify-self: end; }
        .at-stage { white-space: normal; }
        .at-attempts, .at-run .quiet { display: none !important; }
        .at-start, .at-flow { font-size: 0.82rem; color: var(--quiet); }
        .at-flow { order: 3; }
        .at-start { order: 4; text-align: right; }
        .at-standing { order: 2; width: auto; grid-column: 1 / -1; }
        .at-stage { order: 1; grid-column: 1 / -1; }
        .runs td.at-more { order: 5; grid-column: 1 / -1; font-size: 0.82rem; text-align: left;
          white-space: normal; }
        .runs td.at-more:empty { display: none; }
        .runs td.at-more::before { content: attr(data-name) ": "; color: var(--quiet); }
        .tiles li > div { padding: 0.6rem 0.7rem; }
        .filters > label { flex: 1 1 9rem; }
        .filters > label input:not([type="checkbox"]), .filters select { width: 100%; }
        .facts { padding: 0.75rem 0.8rem; }
        .chain details { padding: 0 0.8rem; }
        summary {
          margin: 0 -0.8rem; padding: 0.45rem 0.8rem; min-height: 2.75rem; gap: 0.1rem 0.6rem;
          grid-template-columns: 0.8rem 1fr auto auto;
        }
        summary .sequence { display: none; }
        summary .attempts { grid-column: 2; }
        summary .attempts:empty, summary .began { display: none; }
        summary .bar { grid-column: 2 / -1; }
      }
      @media (prefers-contrast: more) { :root { --line: var(--edge); --quiet: var(--ink); } }
      @media (forced-colors: active) { .state { border: 1px solid; } }
      """
  }
#endif
