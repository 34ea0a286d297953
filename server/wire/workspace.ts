// The state of a user's studio, as stored by the server: URLs and positions, never a value.

/** The user's position in the component of a path. */
export interface EditorState {
  path: string
  /** The line of the cursor in its text. */
  line: number
  column: number
  /** Scroll positions of text and form, in pixels. */
  text: number
  form: number
  /** Whether the text had the focus. */
  typing: boolean
}

export interface Workspace {
  /** One side, or two next to each other; tabs in order. */
  sides: {
    tabs: string[]
    front: string
    /** The tab that the next visited page replaces. */
    preview?: string | undefined
  }[]
  focused: 0 | 1
  /** Width of the left side in percent. */
  share: number
  dock: { panel: 'problems' | 'output' | 'events'; height: number; open: boolean }
  explorer: { by: 'type' | 'app'; open: string[] }
  /** Most recent first. */
  places: EditorState[]
}

/** `GET /setup/v3/workspace`. */
export interface WorkspaceView {
  user: string
  /** The org's lineage. */
  org: string
  /** Null if none has been stored yet. */
  workspace: Workspace | null
}
