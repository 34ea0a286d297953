// The sample org, with content worth exploring at the first start (issue: sample org).
export { fillSample, sampleName } from './fill-sample.ts'
