// Begins when the page is there.

const pageMap = JSON.parse(document.getElementById("map-data").textContent);
const explorer = new Explorer(document.getElementById("map"), pageMap);
document.documentElement.dataset.ready = "true";
