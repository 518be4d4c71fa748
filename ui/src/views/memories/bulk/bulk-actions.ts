/** What can be done with several memories at a time. */
export type BulkAction = "tags" | "project" | "pin" | "unpin" | "type" | "visibility" | "forget";
