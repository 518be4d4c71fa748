/** The calls about language models. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type ModelsReply = Schemas["ModelsReply"];
export type ModelRow = Schemas["ModelRow"];
export type ModelUsageToday = Schemas["ModelUsageToday"];
export type ModelTestReply = Schemas["ModelTestReply"];
export type DetectedModels = Schemas["DetectedModels"];

export const modelCalls = {
  models: (signal?: AbortSignal): Promise<ModelsReply> => unwrap(http.GET("/api/models", definedOnly({ signal }))),

  /** Ask a configured model one tiny question. */
  testModel: (role: ModelRow["role"]): Promise<ModelTestReply> => unwrap(http.POST("/api/models/test", { body: { role } })),

  /** Agree to the model that the settings name, as it was shown. */
  confirmModel: ({ provider, model, address }: ModelRow): Promise<ModelsReply> =>
    unwrap(http.POST("/api/models/confirm", { body: { provider, model, address } })),

  /** Look whether Ollama runs on this computer. */
  detectModels: (): Promise<DetectedModels> => unwrap(http.POST("/api/models/detect")),
};
