// The studio state of each user: runtime state of the org, one text per user.
export interface WorkspaceReader {
  /** The stored JSON. */
  workspace(user: string): string | undefined
}

export interface WorkspaceTransactor {
  putWorkspace(user: string, json: string): void
}
