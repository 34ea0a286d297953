// Handles the calls of the page, only if the calling frame is our own page and the arguments have the channel's shape.
import type { WebContents } from 'electron/main'
import { z } from 'zod'
import { commands, type CommandId } from '../renderer/frame/commands.ts'
import { isOurFrame } from './decisions/navigation-policy.ts'
import type { Electron } from './electron.ts'
import type { IpcCalls, IpcChannel } from './ipc-map.ts'

export type IpcHandlers = {
  [K in IpcChannel]: (
    ask: IpcCalls[K]['ask'],
    sender: WebContents,
  ) => IpcCalls[K]['answer'] | Promise<IpcCalls[K]['answer']>
}

const nothing = z.undefined()
const commandId = z.enum(commands.map(({ id }) => id) as [CommandId, ...CommandId[]])

const requestSchemas = {
  'desktop/about': nothing,
  'keychain/status': nothing,
  'keychain/choose-file': nothing,
  'menu/unavailable': z.strictObject({ commands: z.array(commandId).max(commands.length) }),
} satisfies { [K in IpcChannel]: z.ZodType<IpcCalls[K]['ask']> }

/**
 * Registers every channel of the IPC map.
 * @param origin the studio's origin at the moment of the call; null while the server is down
 */
export function handleIpcCalls(
  electron: Pick<Electron, 'ipcMain'>,
  answers: IpcHandlers,
  origin: () => string | null,
): void {
  for (const channel of Object.keys(requestSchemas) as IpcChannel[]) {
    const answer = answers[channel] as (ask: unknown, sender: WebContents) => unknown
    electron.ipcMain.handle(channel, (event, ask: unknown) => {
      const frame = event.senderFrame
      if (!isOurFrame(frame?.url, frame?.parent === null, origin()))
        throw new Error(`${channel} is available to the studio’s own page only.`)
      const shaped = requestSchemas[channel].safeParse(ask)
      if (!shaped.success)
        throw new Error(`${channel} was called with arguments that do not match the IPC map.`)
      return answer(shaped.data, event.sender)
    })
  }
}
