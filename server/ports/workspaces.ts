// The studio state of each user: runtime state of the org, one text per user.
export interface WorkspaceReads {
  /** The stored JSON. */
  workspace(user: string): string | undefined
}

export interface WorkspaceWrites {
  putWorkspace(user: string, json: string): void
}
