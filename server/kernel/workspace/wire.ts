// How a person left the studio, as the server keeps it: addresses and positions, never a value (studio: "Nothing lost").

/** Where somebody was in the component of a path. */
export interface Place {
  path: string
  /** The cursor of its text. */
  line: number
  column: number
  /** Pixels that text and form are scrolled by. */
  text: number
  form: number
  /** Whether the text had the keyboard. */
  typing: boolean
}

export interface Workspace {
  /** One, or two beside one another; tabs in their order. */
  sides: {
    tabs: string[]
    front: string
    /** The tab that the next visited page replaces. */
    preview?: string | undefined
  }[]
  focused: 0 | 1
  /** Percent of the width that the left side has. */
  share: number
  dock: { panel: 'problems' | 'output' | 'events'; height: number; open: boolean }
  explorer: { by: 'type' | 'app'; open: string[] }
  /** The latest first. */
  places: Place[]
}

/** `GET /setup/v3/workspace`. */
export interface WorkspaceView {
  user: string
  /** The org's lineage. */
  org: string
  /** Null where none was kept yet. */
  workspace: Workspace | null
}
