// The actions of the user while no studio is shown. Status pages run no script, so each button is a link that only main
// handles.

/** Labels of the buttons, in their order. */
export const statusActions = {
  'try-again': 'Try again',
  'open-folder': 'Open the folder',
  quit: 'Quit',
} as const

export type StatusAction = keyof typeof statusActions

/** The link of a button. ".invalid" never resolves, so it means nothing anywhere else. */
export function statusLink(action: StatusAction): string {
  return `https://${action}.invalid/`
}

/** The action of a URL; null for any other URL. */
export function statusActionOf(href: string): StatusAction | null {
  const actions = Object.keys(statusActions) as StatusAction[]
  return actions.find((action) => statusLink(action) === href) ?? null
}
