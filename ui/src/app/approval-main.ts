import { mount } from 'svelte';
import Approval from '../approval/Approval.svelte';
import { connect } from './connect';
import { language } from '../words/language.svelte';
import '../kit/tokens.css';
import '../kit/base.css';

await language.begin();
const { backend, clock } = await connect();
mount(Approval, { target: document.getElementById('app') as HTMLElement, props: { backend, clock } });
