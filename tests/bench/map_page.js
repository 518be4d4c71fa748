/* global document, dispatchEvent, KeyboardEvent, requestAnimationFrame */
// Measures the map of the gallery's page from within; returns its figures.
async (points) => {
  const frame = () => new Promise(requestAnimationFrame);
  const name = `${points.toLocaleString("en")} points`;
  const map = () => document.querySelector("[role=application]");
  dispatchEvent(new CustomEvent("gallery:reset", { detail: "Maps" }));
  const button = () => [...document.querySelectorAll("button")].find((one) => one.textContent.trim() === name);
  while (button() === undefined) await frame();

  // Wait until the graphics card, or what stands for it, has drawn: a pixel is read back.
  const finish = () => {
    const gl = map().dataset.renderer === "canvas" ? null : map().querySelector("canvas").getContext("webgl2");
    if (gl === null) map().querySelector("canvas").getContext("2d").getImageData(0, 0, 1, 1);
    else gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  };
  button().click();
  while (map()?.dataset.frames === undefined) await frame();
  finish();
  const mark = performance.getEntriesByName("map-received").at(-1);
  const firstDraw = performance.now() - mark.startTime;

  const times = [];
  map().focus();
  let last = performance.now();
  for (let step = 0; step < 100; step += 1) {
    const key = step % 20 < 10 ? "ArrowRight" : "ArrowLeft";
    map().dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
    await frame();
    finish();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  const drawn = Number(map().dataset.drawn);
  // The frame that draws all points once the map rests.
  let whole = 0;
  while (map().dataset.moving === "true") {
    const from = performance.now();
    await frame();
    finish();
    whole = performance.now() - from;
  }
  const before = Number(map().dataset.frames);
  for (let count = 0; count < 60; count += 1) await frame();
  const idle = Number(map().dataset.frames) - before;
  return { renderer: map().dataset.renderer, firstDraw, times, drawn, whole, idle, bytes: mark.detail };
};
