/** API calls about what the next session would be told. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type SettingValue = boolean | number | string;
type Schemas = components["schemas"];
export type PreviewReply = Schemas["PreviewReply"];
export type ContextPreview = Schemas["ContextPreview"];
export type PreviewLine = Schemas["PreviewLine"];

export const previewCalls = {
  /** What the next session of an agent would be told with other values of settings; null is the default. */
  simulate: (
    question: {
      project: string | null;
      harness?: string | undefined;
      prompt?: string | undefined;
      settings?: Readonly<Record<string, SettingValue | null>>;
    },
    signal?: AbortSignal,
  ): Promise<PreviewReply> => {
    const { project, settings = {}, ...others } = question;
    return unwrap(
      http.POST("/api/sessions/preview", {
        body: { project, settings: { ...settings }, ...definedOnly(others) },
        ...definedOnly({ signal }),
      }),
    );
  },

  /** What the next session would be told, at its start and with a prompt; null is a session without a project. */
  preview: (project: string | null, prompt: string | undefined, signal?: AbortSignal): Promise<PreviewReply> =>
    unwrap(http.POST("/api/sessions/preview", { body: { project, ...definedOnly({ prompt }) }, ...definedOnly({ signal }) })),
};
