// The calls of the page, answered only where the asking frame is our own page.
import { isBrowserLink, isOurFrame } from './decisions/navigation-policy.ts'
import type { Electron } from './electron.ts'
import type { IpcCalls, IpcChannel } from './ipc-map.ts'
import type { Keychain } from './keychain.ts'

type Answers = {
  [K in IpcChannel]: (ask: IpcCalls[K]['ask']) => IpcCalls[K]['answer'] | Promise<IpcCalls[K]['answer']>
}

/**
 * Registers every channel of the IPC map.
 * @param origin the studio's origin at the moment of the call; null while the server is down
 */
export function answerCalls(electron: Electron, keychain: Keychain, origin: () => string | null): void {
  const answers: Answers = {
    'desktop/about': () => ({
      version: electron.app.getVersion(),
      electron: process.versions.electron ?? '',
      platform: process.platform,
    }),
    'keychain/status': () => keychain.status(),
    'link/open': async ({ url }) => {
      if (!isBrowserLink(url)) return false
      await electron.shell.openExternal(url)
      return true
    },
    'folder/choose': async ({ title }) => {
      const { filePaths } = await electron.dialog.showOpenDialog({
        title: String(title),
        properties: ['openDirectory', 'createDirectory'],
      })
      return filePaths[0] ?? null
    },
  }
  for (const [channel, answer] of Object.entries(answers) as [IpcChannel, (ask: never) => unknown][]) {
    electron.ipcMain.handle(channel, (event, ask: unknown) => {
      const frame = event.senderFrame
      if (!isOurFrame(frame?.url, frame?.parent === null, origin())) {
        throw new Error(`${channel} is answered to the studio's own page only.`)
      }
      return answer(ask as never)
    })
  }
}
