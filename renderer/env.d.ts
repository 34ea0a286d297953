// What the page finds around it: Vite's types, single-file components, and in the desktop the bridge.
/// <reference types="vite/client" />
import type { DesktopBridge } from '../main/ipc-map.ts'

declare global {
  interface Window {
    almanac?: DesktopBridge
  }
}
