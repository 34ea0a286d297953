// Global types of the page: Vite's, single-file components, and in the desktop the bridge.
/// <reference types="vite/client" />
import type { DesktopBridge } from '../main/ipc-map.ts'

declare global {
  interface Window {
    almanac?: DesktopBridge
  }
}
