/** The view as a picture. */

import type { SceneColours } from "./colours";
import { cssColour } from "./colours";
import type { PlacedLabel } from "./label-layout";
import type { Pixel } from "./outline";

interface Drawn {
  /** Drawn in the same task: a WebGL canvas forgets its picture afterwards. */
  readonly canvas: HTMLCanvasElement;
  readonly ratio: number;
  readonly colours: SceneColours;
  readonly labels: readonly PlacedLabel[];
  readonly font: (kind: PlacedLabel["label"]["kind"]) => string;
  readonly current: Pixel | undefined;
}

/** Encode the points, with labels and the ring about the current one above them, as PNG. */
export function pictureOf({ canvas, ratio, colours, labels, font, current }: Drawn): Promise<Blob> {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext("2d");
  if (context === null) return Promise.reject(new Error("This browser can't draw the picture."));
  context.drawImage(canvas, 0, 0);
  context.scale(ratio, ratio);
  context.strokeStyle = cssColour(colours.ink);
  context.lineWidth = 2;
  if (current !== undefined) {
    context.beginPath();
    context.arc(...current, 9, 0, 2 * Math.PI);
    context.stroke();
  }
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = cssColour(colours.background, 0.85);
  context.lineWidth = 4;
  context.fillStyle = cssColour(colours.ink);
  for (const { label, box } of labels) {
    const [x, y, width] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2, box.right - box.left];
    context.font = font(label.kind);
    context.strokeText(label.text, x, y, width);
    context.fillText(label.text, x, y, width);
  }
  return new Promise((resolve, reject) => {
    copy.toBlob((blob) => {
      if (blob === null) reject(new Error("This browser can't encode the picture."));
      else resolve(blob);
    }, "image/png");
  });
}
