// The bridge between the page and the desktop: the typed calls and events of the IPC map and nothing else.
import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge, IpcCalls, IpcEvents } from './ipc-map.ts'

const calls: Record<keyof IpcCalls, true> = {
  'desktop/about': true,
  'keychain/status': true,
  'keychain/choose-file': true,
  'menu/unavailable': true,
}
const events: Record<keyof IpcEvents, true> = { 'menu/command': true, 'studio/go': true }

const bridge: DesktopBridge = {
  call(channel, ask) {
    if (!Object.hasOwn(calls, channel)) throw new Error(`The desktop has no call ${channel}.`)
    return ipcRenderer.invoke(channel, ask)
  },
  on(channel, listener) {
    if (!Object.hasOwn(events, channel)) throw new Error(`The desktop has no event ${channel}.`)
    const heard = (_event: unknown, value: unknown): void => listener(value as never)
    ipcRenderer.on(channel, heard)
    return () => ipcRenderer.off(channel, heard)
  },
}

contextBridge.exposeInMainWorld('almanac', bridge)
