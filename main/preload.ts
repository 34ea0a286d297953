// The bridge between the page and the desktop: the typed calls of the IPC map and nothing else.
import { contextBridge, ipcRenderer } from 'electron'
import type { DesktopBridge, MenuCommand } from './ipc-map.ts'

const bridge: DesktopBridge = {
  call: (channel, ask) => ipcRenderer.invoke(channel, ask),
  onMenuCommand(listener) {
    const heard = (_event: unknown, command: MenuCommand): void => listener(command)
    ipcRenderer.on('menu/command', heard)
    return () => ipcRenderer.off('menu/command', heard)
  },
}

contextBridge.exposeInMainWorld('almanac', bridge)
