// The state in which the window opens: the last one, unless its place is no longer on a screen.
import { asAddress } from './studio-address.ts'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export interface WindowState {
  bounds: Bounds
  maximized: boolean
  /** Chromium's zoom level: 0 is 100 %, each step 20 %. */
  zoom: number
  /** Its URL in the studio. */
  address: string
}

export const minSize = { width: 900, height: 600 }
const defaultSize = { width: 1440, height: 900 }
const maxZoom = 8
const grip = { width: 120, height: 40 }

/**
 * Chooses the state in which the window opens.
 * @param saved what was stored last; anything other than a state is ignored
 * @param screens work areas of the current screens, the first screen first
 */
export function chooseState(saved: unknown, screens: readonly Bounds[]): WindowState {
  const screen = screens[0] ?? { x: 0, y: 0, ...defaultSize }
  if (!isSavedState(saved))
    return { bounds: centreBounds(defaultSize, screen), maximized: false, zoom: 0, address: '/' }
  // The size is fitted first, because a window that shrinks can lose the part by which it could be reached.
  const places = screens.map((area) => ({
    area,
    bounds: { ...saved.bounds, ...fitSize(saved.bounds, area) },
  }))
  const savedPlace = places.find((place) => isReachable(place.bounds, place.area))
  return {
    bounds: savedPlace?.bounds ?? centreBounds(saved.bounds, screen),
    maximized: saved.maximized,
    zoom: typeof saved.zoom === 'number' && Math.abs(saved.zoom) <= maxZoom ? saved.zoom : 0,
    address: asAddress(saved.address) ?? '/',
  }
}

/** A window can be reached if enough of its title bar is on the screen. */
function isReachable(bounds: Bounds, area: Bounds): boolean {
  const across = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x)
  return across >= grip.width && bounds.y >= area.y && bounds.y + grip.height <= area.y + area.height
}

function fitSize(size: { width: number; height: number }, area: Bounds): { width: number; height: number } {
  return {
    width: Math.max(Math.min(size.width, area.width), Math.min(minSize.width, area.width)),
    height: Math.max(Math.min(size.height, area.height), Math.min(minSize.height, area.height)),
  }
}

function centreBounds(size: { width: number; height: number }, area: Bounds): Bounds {
  const { width, height } = fitSize(size, area)
  const x = Math.round(area.x + (area.width - width) / 2)
  const y = Math.round(area.y + (area.height - height) / 2)
  return { x, y, width, height }
}

type SavedState = Pick<WindowState, 'bounds' | 'maximized'> & { zoom?: unknown; address?: unknown }

function isSavedState(value: unknown): value is SavedState {
  if (typeof value !== 'object' || value === null || !('bounds' in value)) return false
  const { bounds, maximized } = value as Partial<SavedState>
  if (typeof bounds !== 'object' || bounds === null || typeof maximized !== 'boolean') return false
  return [bounds.x, bounds.y, bounds.width, bounds.height].every(Number.isSafeInteger)
}
