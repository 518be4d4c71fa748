/** The shaders of points, drawn as signed distances of their shapes, and of edges. */

import { PALETTE_LIMIT } from "./colours";
import { NEAREST } from "./camera";
import { EMPHASIS_BITS, LIT_GROWTH, OPACITY, RING_PX, SELECTED_BIT, THIN_RING } from "./scene";

const float = (value: number): string => value.toFixed(4);

const PLACE = /* glsl */ `
  precision highp float;
  uniform mat4 view;
  uniform float morph;
  in vec2 place2;
  in vec3 place3;

  vec4 placed() {
    vec4 clip = view * vec4(mix(vec3(place2, 0.0), place3, morph), 1.0);
    // Out of the picture: too near to the eye, or behind it.
    return clip.w < ${float(NEAREST)} ? vec4(2.0, 2.0, 2.0, 1.0) : clip;
  }
`;

export const POINT_VERTEX = /* glsl */ `
  ${PLACE}
  uniform float ratio;
  uniform float growth;
  uniform vec3 background;
  uniform vec3 palette[${String(PALETTE_LIMIT)}];
  in vec4 style;
  out vec4 tint;
  flat out vec3 mark;

  void main() {
    gl_Position = placed();
    int state = int(style.w);
    int emphasis = state & ${String(EMPHASIS_BITS)};
    bool isSelected = (state & ${String(SELECTED_BIT)}) != 0;
    float near = 1.0 / gl_Position.w;
    float size = style.z * growth * clamp(near, 0.4, 2.5) * (emphasis == 3 ? ${float(LIT_GROWTH)} : 1.0);
    float alpha = emphasis == 1 ? ${float(OPACITY[1])} : emphasis == 2 ? ${float(OPACITY[2])} : ${float(OPACITY[3])};
    float haze = 0.6 * smoothstep(0.95, 1.6, gl_Position.w);
    tint = vec4(mix(palette[int(style.x)], background, haze), alpha);
    float radius = 0.5 * size * ratio;
    // Thinner where points are small: rings would hide their colours.
    float ring = isSelected ? ${float(RING_PX)} * ratio * clamp(growth, ${float(THIN_RING)}, 1.0) : 0.0;
    // A pixel around the shape for its soft edge.
    gl_PointSize = 2.0 * (radius + ring + 1.0);
    mark = vec3(radius, style.y, ring);
  }
`;

export const POINT_FRAGMENT = /* glsl */ `
  precision highp float;
  uniform vec3 ink;
  uniform float ratio;
  in vec4 tint;
  flat in vec3 mark;
  out vec4 colour;

  // How far a pixel is outside of a shape, negative inside; the shapes have about the same area.
  float outside(vec2 at, float radius, int shape) {
    vec2 away = abs(at);
    if (shape == 1) return abs(length(at) - 0.76 * radius) - 0.24 * radius;
    if (shape == 2) return max(away.x, away.y) - 0.86 * radius;
    if (shape == 3) return (away.x + away.y - 1.15 * radius) * 0.7071;
    if (shape == 4) return max(0.866 * away.x + 0.5 * at.y, -at.y) - 0.58 * radius;
    if (shape == 5) {
      float arm = 0.34 * radius;
      return min(max(away.x - radius, away.y - arm), max(away.y - radius, away.x - arm));
    }
    return length(at) - radius;
  }

  void main() {
    float radius = mark.x;
    float reach = radius + mark.z + 1.0;
    vec2 at = (gl_PointCoord - 0.5) * vec2(2.0, -2.0) * reach;
    float cover = clamp(0.5 - outside(at, radius, int(mark.y)), 0.0, 1.0);
    colour = vec4(tint.rgb, tint.a * cover);
    if (mark.z > 0.0) {
      float ring = clamp(0.5 + 0.24 * mark.z - abs(length(at) - radius - 0.6 * mark.z), 0.0, 1.0);
      colour = mix(colour, vec4(ink, 1.0), ring);
    }
    if (colour.a < 0.01) discard;
  }
`;

export const LINE_VERTEX = /* glsl */ `
  ${PLACE}
  void main() {
    gl_Position = placed();
  }
`;

export const LINE_FRAGMENT = /* glsl */ `
  precision highp float;
  uniform vec4 line;
  out vec4 colour;

  void main() {
    colour = line;
  }
`;
