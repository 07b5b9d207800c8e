import { mount } from 'svelte';
import Approval from '../approval/Approval.svelte';
import { connect } from './connect';
import '../kit/tokens.css';
import '../kit/base.css';

const { backend, clock } = await connect();
mount(Approval, { target: document.getElementById('app') as HTMLElement, props: { backend, clock } });
