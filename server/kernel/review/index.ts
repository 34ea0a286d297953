// A review to be handed on (studio: Review, export).
export { reviewDocument, type Review, type ReviewedChange } from './review-document.ts'
