// The sample org, with content worth exploring at the first start.
export { fillSample, sampleName } from './fill-sample.ts'
