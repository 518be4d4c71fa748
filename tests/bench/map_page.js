/* global document, dispatchEvent, KeyboardEvent, requestAnimationFrame */
// Measures a map from within its page; returns its figures. With a number of points it draws a map of so many in the
// gallery first; without, it takes the one that the Constellation page has drawn.
async (points) => {
  const frame = () => new Promise(requestAnimationFrame);
  const map = () => document.querySelector("[role=application]");

  // Wait until the graphics card, or what stands for it, has drawn: a pixel is read back.
  const finish = () => {
    const canvas = map().querySelector("canvas");
    if (map().dataset.renderer === "canvas") {
      canvas.getContext("2d").getImageData(0, 0, 1, 1);
      return;
    }
    const gl = canvas.getContext("webgl2");
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  };

  // Draw a map in the gallery; returns when its bytes were there, and how many.
  const drawInGallery = async () => {
    const name = `${points.toLocaleString("en")} points`;
    const button = () => [...document.querySelectorAll("button")].find((one) => one.textContent.trim() === name);
    dispatchEvent(new CustomEvent("gallery:reset", { detail: "Maps" }));
    while (button() === undefined) await frame();
    button().click();
    const mark = performance.getEntriesByName("map-received").at(-1);
    return { received: mark.startTime, bytes: mark.detail };
  };
  const received = () => {
    const response = performance.getEntriesByType("resource").find(({ name }) => name.includes("/projection/points"));
    return { received: response.responseEnd, bytes: response.decodedBodySize };
  };
  const data = points === null ? received() : await drawInGallery();
  while (map()?.dataset.frames === undefined) await frame();
  finish();
  const firstDraw = performance.now() - data.received;
  // Edges and labels come after the points.
  for (let count = 0; count < 120; count += 1) await frame();

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
  return { renderer: map().dataset.renderer, firstDraw, times, drawn, whole, idle, bytes: data.bytes };
};
