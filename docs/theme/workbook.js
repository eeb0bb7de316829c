// The switch between dark and light, the mark on the current page's link, and names for what Doxygen leaves without one.
document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme-switch").addEventListener("click", () => {
    DoxygenAwesomeDarkModeToggle.userPreference = !DoxygenAwesomeDarkModeToggle.userPreference;
  });
  for (const link of document.querySelectorAll("#site-nav a")) {
    if (link.pathname === location.pathname) {
      link.setAttribute("aria-current", "page");
    }
  }
  document.getElementById("MSearchField")?.setAttribute("aria-label", "Search");
  const title = document.querySelector("div.header .title");
  title?.setAttribute("role", "heading");
  title?.setAttribute("aria-level", "1");
  document.querySelector(".toc h3")?.setAttribute("aria-level", "2");
});
