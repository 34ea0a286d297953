// How each person left the studio: runtime state of the org, one text a person.
export interface WorkspaceReads {
  /** JSON as it was kept. */
  workspace(user: string): string | undefined
}

export interface WorkspaceWrites {
  putWorkspace(user: string, json: string): void
}
