// What a change list does beyond itself: readers, days, people, stored results (studio: Review, impact).
export { impactOf, type ImpactRequest } from './impact-of.ts'
