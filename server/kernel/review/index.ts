// Export of a review (studio: Review, export).
export { reviewDocument, type Review, type ReviewedChange } from './review-document.ts'
