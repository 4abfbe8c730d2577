// Outputs of cells are dark if an element above them says so, as in JupyterLab. The theme of the site may follow the system.
const system = matchMedia("(prefers-color-scheme: dark)");
const follow = () => {
  const chosen = document.body?.dataset.theme ?? localStorage.getItem("theme") ?? "auto";
  const dark = chosen === "auto" ? system.matches : chosen === "dark";
  document.documentElement.dataset.jpThemeLight = String(!dark);
};
follow();
system.addEventListener("change", follow);
addEventListener("DOMContentLoaded", () => {
  follow();
  new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
});
