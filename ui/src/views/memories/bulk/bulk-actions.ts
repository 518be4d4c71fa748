/** The actions on several memories. */
export type BulkAction = "tags" | "project" | "pin" | "unpin" | "type" | "visibility" | "forget";
