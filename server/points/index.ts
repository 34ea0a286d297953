// Points of time: two of them compared, and what one key said when, about when (studio: Time machine).
export { comparePoints, type ComparePointsRequest, type PagedPoints } from './compare-points.ts'
export { keyMap, type KeyMapRequest } from './key-map.ts'
