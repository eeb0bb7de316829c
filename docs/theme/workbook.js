// The switch between dark and light, the mark on the current page's link, and access to what scrolls.
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme-switch").addEventListener("click", () => {
    DoxygenAwesomeDarkModeToggle.userPreference = !DoxygenAwesomeDarkModeToggle.userPreference;
  });
  for (const link of document.querySelectorAll("#site-nav a")) {
    if (link.pathname === location.pathname) {
      link.setAttribute("aria-current", "page");
    }
  }
  showWhatScrolls();
  addEventListener("resize", showWhatScrolls);
});

// What is wider than its place scrolls, and can be reached from the keyboard to do so.
function showWhatScrolls() {
  for (const box of document.querySelectorAll("main :is(div, pre, table, tbody)")) {
    const scrolls = box.scrollWidth > box.clientWidth && ["auto", "scroll"].includes(getComputedStyle(box).overflowX);
    if (scrolls && !box.closest("[tabindex]")) {
      box.tabIndex = 0;
      box.dataset.scrolls = "";
    } else if (!scrolls && "scrolls" in box.dataset) {
      box.removeAttribute("tabindex");
      delete box.dataset.scrolls;
    }
  }
}
