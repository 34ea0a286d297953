// The effects of a change list: readers, dates, users, stored results (studio: Review, impact).
export { impactOf, type ImpactRequest } from './impact-of.ts'
