// The studio state of each user: runtime state of the org, one text per user.
export interface WorkspaceReader {
  /** The stored JSON. */
  get(user: string): string | undefined
}

export interface WorkspaceTransactor extends WorkspaceReader {
  put(user: string, json: string): void
}
