// Export of a review.
export { reviewDocument, type Review, type ReviewedChange } from './review-document.ts'
