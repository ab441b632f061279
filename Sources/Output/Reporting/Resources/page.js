"use strict";
const root = document.documentElement;
addEventListener("error", event => { root.dataset.error = event.message; });
const all = selector => [...document.querySelectorAll(selector)];
const cases = all(".case");
const sections = all("main section");
const buttons = all("[data-show]");
const search = document.querySelector("input[type=search]");
const shown = document.querySelector(".shown");
const nothing = document.querySelector(".nothing");
const texts = new Map(cases.map(one => [one, one.firstElementChild.textContent.toLowerCase()]));
let show = "all";

function apply(writesAddress) {
  const words = search.value.toLowerCase().split(/\s+/).filter(word => word);
  let count = 0;
  for (const one of cases) {
    const text = texts.get(one);
    const matches = (show === "all" || one.dataset.verdict === show) && words.every(word => text.includes(word));
    one.hidden = !matches;
    if (matches) count += 1;
  }
  const isFiltered = show !== "all" || words.length > 0;
  for (const section of sections) section.hidden = isFiltered && !section.querySelector(".case:not([hidden])");
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.show === show));
  nothing.hidden = count > 0 || cases.length === 0;
  shown.textContent = count === cases.length ? "" : count + " of " + cases.length;
  root.dataset.visible = count;
  if (!writesAddress) return;
  const parts = [];
  if (show !== "all") parts.push("show=" + show);
  if (words.length) parts.push("find=" + encodeURIComponent(search.value));
  history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
}

function reset() { show = "all"; search.value = ""; apply(true); }

function readAddress() {
  const hash = location.hash.slice(1);
  if (hash.startsWith("case-")) {
    const target = document.getElementById(decodeURIComponent(hash));
    if (target) { show = "all"; search.value = ""; apply(false); target.open = true; target.scrollIntoView(); }
    return;
  }
  const wanted = new URLSearchParams(hash);
  const verdict = wanted.get("show");
  show = buttons.some(button => button.dataset.show === verdict) ? verdict : "all";
  search.value = wanted.get("find") || "";
  apply(false);
}

function step(by) {
  const visible = cases.filter(one => !one.hidden);
  if (!visible.length) return;
  const index = visible.indexOf(document.activeElement.closest(".case"));
  const last = visible.length - 1;
  const next = index < 0 ? (by > 0 ? 0 : last) : Math.min(last, Math.max(0, index + by));
  visible[next].firstElementChild.focus();
  visible[next].scrollIntoView({block: "nearest"});
}

async function copy(button) {
  const code = button.parentElement.querySelector("code");
  let done = false;
  try { await navigator.clipboard.writeText(code.textContent); done = true; } catch (error) {
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    done = document.execCommand("copy");
  }
  button.textContent = done ? "Copied" : "Press Ctrl-C";
  setTimeout(() => { button.textContent = "Copy"; }, 1600);
}

document.addEventListener("click", event => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.show) { show = button.dataset.show; apply(true); }
  if (button.dataset.fold) for (const one of cases) {
    if (button.dataset.fold === "close") one.open = false; else if (!one.hidden) one.open = true;
  }
  if ("reset" in button.dataset) reset();
  if ("copy" in button.dataset) copy(button);
});
search.addEventListener("input", () => apply(true));
addEventListener("hashchange", readAddress);
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target === search;
  if (event.key === "Escape") { reset(); search.blur(); }
  if (isTyping) return;
  if (event.key === "/") { event.preventDefault(); search.focus(); }
  if (event.key === "j") step(1);
  if (event.key === "k") step(-1);
});

// Players of one case are heard one at a time, each from where the other was: to compare is to switch.
for (const group of all(".sounds")) {
  const players = [...group.querySelectorAll("audio")];
  for (const player of players) player.addEventListener("play", () => {
    const other = players.find(one => one !== player && !one.paused);
    if (other) { player.currentTime = other.currentTime; other.pause(); }
  });
}

// On paper nothing unfolds: what did not pass goes there open.
addEventListener("beforeprint", () => {
  for (const one of cases) if (!["passed", "skipped"].includes(one.dataset.verdict)) one.open = true;
});

readAddress();
root.dataset.ready = "yes";