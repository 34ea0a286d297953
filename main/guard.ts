// Restricts what every page can do and use on the machine: navigation, new windows, permissions, devices.
import type { WebContents } from 'electron/main'
import { decideNavigation, type Navigation } from './decisions/navigation-policy.ts'
import { decidePermission } from './decisions/permission-policy.ts'
import type { StatusAction } from './decisions/status-actions.ts'
import type { Electron } from './electron.ts'

export interface GuardHandlers {
  /** The studio's origin; null while the server is down. */
  origin(): string | null
  /** Carries out the button of a status page. */
  onAction(action: StatusAction): void
}

/** Guards the session, and each page from its creation. Called before the first window. */
export function guardPages(electron: Electron, duties: GuardHandlers): void {
  const { defaultSession } = electron.session
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(decidePermission(permission, details.requestingUrl, duties.origin())),
  )
  defaultSession.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    decidePermission(permission, requestingOrigin, duties.origin()),
  )
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.setDisplayMediaRequestHandler((_request, answer) => answer(null))
  electron.app.on('web-contents-created', (_event, contents) => guardContents(electron, contents, duties))
}

function guardContents(
  { shell, dialog }: Pick<Electron, 'shell' | 'dialog'>,
  contents: WebContents,
  { origin, onAction }: GuardHandlers,
): void {
  // Only main loads a data URL, for a status page; only its buttons lead away from there.
  const home = (): string | null => (contents.getURL().startsWith('data:') ? null : origin())
  const follow = (decision: Navigation, url: string): void => {
    if (decision.to !== 'browser') return
    shell
      .openExternal(url)
      .catch(() =>
        dialog.showErrorBox('The link could not be opened', `No program on this machine can open ${url}.`),
      )
  }
  contents.on('will-frame-navigate', (event) => {
    const decision = decideNavigation(event.url, home())
    if (decision.to !== 'stay') event.preventDefault()
    if (decision.to === 'action') onAction(decision.action)
    follow(decision, event.url)
  })
  contents.on('will-redirect', (event) => {
    // The one-time link is followed while the status page is still shown, so the studio's origin is always allowed.
    const decision = decideNavigation(event.url, origin())
    if (decision.to !== 'stay') event.preventDefault()
    follow(decision, event.url)
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    follow(decideNavigation(url, home()), url)
    return { action: 'deny' }
  })
}
