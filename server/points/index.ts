// Points in time: compares two of them, and maps the values of one key by generation and date.
export { comparePoints, type ComparePointsRequest, type ComparedPointsPage } from './compare-points.ts'
export { keyMap, type KeyMapRequest } from './key-map.ts'
