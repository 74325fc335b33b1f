// Begins when the page is there.

const pageMap = JSON.parse(document.getElementById("map-data").textContent);
const explorer = new Explorer(document.getElementById("map"), pageMap);
if (pageMap.live) window.liveView = new LiveView(explorer);
document.documentElement.dataset.ready = "true";
