"""GRiT (objects, relations and colors) as four graphs; what is between them is left to Sightline.

`grit-features`  a picture, normalized and padded to multiples of 32 -> features of three levels; boxes and scores of five
`grit-boxes`     features and proposals -> refined boxes and their scores
`grit-objects`   features and boxes -> what the decoder of texts remembers of each box
`grit-words`     tokens so far and that memory -> the next token
"""

import contextlib
import math
import sys

import torch
from common import Graph, Source, cubic_matrix, with_bert
from torch import nn

# Two blocks that look at windows and one that looks at everything; the same code with fewer and smaller layers.
SHALLOW = "MODEL.MASK_ON False MODEL.ROI_BOX_HEAD.FC_DIM 64 TEXT_DECODER.HIDDEN_SIZE 96 TEXT_DECODER.NUM_LAYERS 2".split()
SHALLOW += "TEXT_DECODER.ATTENTION_HEADS 2 TEXT_DECODER.FEEDFORWARD_SIZE 192".split()
LEVELS = ("p3", "p4", "p5", "p6", "p7")
POOLED = LEVELS[:3]


def model_of(source: Source) -> nn.Module:
    if "grit" in source.models:
        return source.models["grit"]
    with_bert(source)
    captions = source.module("grit_src.image_dense_captions")
    from detectron2.checkpoint import DetectionCheckpointer
    from detectron2.modeling import build_model

    path = "" if source.random_weights else str(source.checkpoint("grit_model", "grit_b_densecap_objectdet.pth"))
    settings = captions.get_parser(torch.device("cpu"), path)
    if source.shallow:
        settings["opts"] += SHALLOW
        backbone = source.module("grit_src.grit.modeling.backbone.vit")
        whole_backbone = backbone.ViT
        backbone.ViT = lambda **given: whole_backbone(**{**given, "depth": 3})
    model = build_model(captions.setup_cfg(settings))
    if source.shallow:
        backbone.ViT = whole_backbone
    if source.random_weights:
        spread(model)
    else:
        DetectionCheckpointer(model).load(path)
    source.models["grit"] = source.ready(model)
    return model


def spread(model: nn.Module) -> None:
    """Random weights as a constructor leaves them find nothing: scores are spread, and texts end."""
    head = model.proposal_generator.centernet_head
    nn.init.normal_(head.agn_hm.weight, std=0.1)
    nn.init.zeros_(head.agn_hm.bias)
    for predictor in model.roi_heads.box_predictor:
        nn.init.normal_(predictor.cls_score.weight, std=0.05)
        nn.init.constant_(predictor.cls_score.bias, 0.0)
        predictor.cls_score.bias.data[0] = 1.0
        nn.init.normal_(predictor.bbox_pred[-1].weight, std=0.02)
    for block in model.backbone.bottom_up.blocks:
        nn.init.normal_(block.attn.rel_pos_h, std=0.1)
        nn.init.normal_(block.attn.rel_pos_w, std=0.1)
    textual = model.roi_heads.text_decoder.textual
    nn.init.normal_(textual.embedding.words.weight, std=0.1)
    nn.init.normal_(textual.embedding.positions.weight, std=0.1)
    nn.init.normal_(textual.output.bias, std=0.1)
    textual.output.bias.data[102] = 3.0


def whole(size) -> torch.Tensor:
    return size if isinstance(size, torch.Tensor) else torch.tensor(size)


def absolute_positions(positions: torch.Tensor, has_class: bool, size) -> torch.Tensor:
    """`get_abs_pos` of the published backbone for any size."""
    positions = positions[:, 1:] if has_class else positions
    native = math.isqrt(positions.shape[1])
    grid = positions.reshape(native, native, -1).permute(2, 0, 1)
    no = torch.tensor(False)
    down, across = (cubic_matrix(whole(each), native, no) for each in size)
    return torch.matmul(torch.matmul(down, grid), across.transpose(0, 1)).permute(1, 2, 0)[None]


def relative_positions(size, table: torch.Tensor) -> torch.Tensor:
    """`get_rel_pos` of the published backbone for any size, where queries and keys are the same."""
    size = whole(size)
    native, count = table.shape[0], 2 * size - 1
    places = torch.arange(count).float()
    source = ((places + 0.5) * (native / count.float()) - 0.5).clamp(min=0)
    below = source.floor().clamp(max=native - 1)
    above = (below + 1).clamp(max=native - 1)
    columns = torch.arange(native).float()
    share = (source - below)[:, None]
    matrix = (below[:, None] == columns).float() * (1 - share) + (above[:, None] == columns).float() * share
    index = torch.arange(size)[:, None] - torch.arange(size)[None, :] + (size - 1)
    return torch.matmul(matrix, table)[index]


def with_positions(attention, queries, down, across, size, _):
    """`add_decomposed_rel_pos` of the published backbone for any size."""
    height, width = size
    count, _, channels = queries.shape
    grid = queries.reshape(count, height, width, channels)
    rows = torch.einsum("bhwc,hkc->bhwk", grid, relative_positions(height, down))
    columns = torch.einsum("bhwc,wkc->bhwk", grid, relative_positions(width, across))
    attention = attention.view(count, height, width, height, width)
    attention = attention + rows[:, :, :, :, None] + columns[:, :, :, None, :]
    return attention.view(count, height * width, height * width)


def into_windows(tokens: torch.Tensor, side: int):
    """`window_partition` of the published backbone for any size: it always pads, if by nothing."""
    count, height, width, channels = tokens.shape
    down, across = (side - height % side) % side, (side - width % side) % side
    tokens = torch.cat([tokens, tokens.new_zeros(count, down, width, channels)], dim=1)
    tokens = torch.cat([tokens, tokens.new_zeros(count, height + down, across, channels)], dim=2)
    rows, columns = (height + down) // side, (width + across) // side
    windows = tokens.view(count, rows, side, columns, side, channels).permute(0, 1, 3, 2, 4, 5)
    return windows.reshape(-1, side, side, channels), (height + down, width + across)


def out_of_windows(windows: torch.Tensor, side: int, padded, size) -> torch.Tensor:
    """`window_unpartition` of the published backbone."""
    rows, columns = padded[0] // side, padded[1] // side
    tokens = windows.view(-1, rows, columns, side, side, windows.shape[-1]).permute(0, 1, 3, 2, 4, 5)
    return tokens.reshape(-1, padded[0], padded[1], windows.shape[-1])[:, : size[0], : size[1]]


@contextlib.contextmanager
def any_size(backbone: nn.Module):
    """The published backbone with those functions exchanged that fix the size of what is traced."""
    module = sys.modules[type(backbone.bottom_up).__module__]
    exchanged = {
        "get_abs_pos": absolute_positions,
        "add_decomposed_rel_pos": with_positions,
        "window_partition": into_windows,
        "window_unpartition": out_of_windows,
    }
    kept = {name: getattr(module, name) for name in exchanged}
    for name, each in exchanged.items():
        setattr(module, name, each)
    try:
        yield
    finally:
        for name, each in kept.items():
            setattr(module, name, each)


class Features(nn.Module):
    def __init__(self, model: nn.Module, exchange: bool):
        super().__init__()
        self.backbone = model.backbone
        self.generator = model.proposal_generator
        self.exchange = exchange

    def forward(self, pixels: torch.Tensor):
        with any_size(self.backbone) if self.exchange else contextlib.nullcontext():
            features = self.backbone(pixels)
        _, distances, scores = self.generator.centernet_head([features[level] for level in LEVELS])
        found = []
        for stride, distance, score in zip(self.generator.strides, distances, scores):
            height, width = score.shape[2], score.shape[3]
            y = torch.arange(height)[:, None].expand(height, width) * stride + stride // 2
            x = torch.arange(width)[None, :].expand(height, width) * stride + stride // 2
            left, top, right, bottom = (distance[0] * stride).unbind(0)
            box = [x - left, y - top, x + right, y + bottom]
            box[2], box[3] = torch.maximum(box[2], box[0] + 0.01), torch.maximum(box[3], box[1] + 0.01)
            found += [torch.stack(box, -1).reshape(-1, 4), score.sigmoid().reshape(-1)]
        return (*(features[level] for level in POOLED), *found)


def published_proposals(model: nn.Module, pixels: torch.Tensor):
    """Features, boxes and scores by the published code, before it chooses among them."""
    generator = model.proposal_generator
    features = model.backbone(pixels)
    grids = generator.compute_grids([features[level] for level in LEVELS])
    _, distances, scores = generator.centernet_head([features[level] for level in LEVELS])
    kept = generator.pre_nms_topk_test, generator.score_thresh
    generator.pre_nms_topk_test, generator.score_thresh = 10**9, -1.0
    found = []
    for level, (grid, distance, score) in enumerate(zip(grids, distances, scores)):
        size = [tuple(pixels.shape[2:])]
        one = generator.predict_single_level(
            grid, score.sigmoid(), distance * generator.strides[level], size, None, level
        )[0]
        # It gives the root of the score.
        found += [one.pred_boxes.tensor, one.scores**2]
    generator.pre_nms_topk_test, generator.score_thresh = kept
    return (*(features[level] for level in POOLED), *found)


def pooled(features, boxes: torch.Tensor, pooler: nn.Module, side: int) -> torch.Tensor:
    """The published pooler: each box is read from the level of its size. Here from all, and then chosen."""
    from torchvision.ops import roi_align

    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    level = torch.floor(
        pooler.canonical_level + torch.log2(torch.sqrt(area) / pooler.canonical_box_size + 1e-8)
    ).clamp(pooler.min_level, pooler.max_level)
    regions = torch.cat([torch.zeros_like(boxes[:, :1]), boxes], dim=1)
    out = None
    for place, (each, feature) in enumerate(zip(pooler.level_poolers, features)):
        read = roi_align(feature, regions, (side, side), each.spatial_scale, each.sampling_ratio, True)
        here = (level == pooler.min_level + place)[:, None, None, None]
        out = read if out is None else torch.where(here, read, out)
    return out


def inside(boxes: torch.Tensor, size: torch.Tensor) -> torch.Tensor:
    """`size` is height and width."""
    limits = torch.stack([size[1], size[0], size[1], size[0]])
    return torch.minimum(boxes.clamp(min=0), limits)


class Boxes(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        self.heads = model.roi_heads

    def forward(self, p3, p4, p5, boxes, scores, size):
        heads = self.heads
        total = 0
        for stage in range(heads.num_cascade_stages):
            boxes = boxes if stage == 0 else inside(boxes, size)
            read = pooled((p3, p4, p5), boxes, heads.box_pooler, 7)
            logits, deltas = heads.box_predictor[stage](heads.box_head[stage](read))
            boxes = heads.box_predictor[stage].box2box_transform.apply_deltas(deltas, boxes)
            total = total + logits.softmax(-1)
        mean = total[:, 0] * (1.0 / heads.num_cascade_stages)
        return inside(boxes, size), (mean * scores) ** 0.5


class Captured(Exception):
    pass


def published_boxes(model: nn.Module, p3, p4, p5, boxes, scores, size):
    """The published heads up to where they choose among boxes."""
    from detectron2.structures import Boxes as PublishedBoxes
    from detectron2.structures import Instances

    heads, shape = model.roi_heads, (int(size[0]), int(size[1]))
    proposals = Instances(shape)
    proposals.proposal_boxes, proposals.scores, proposals.objectness_logits = PublishedBoxes(boxes), scores, scores

    def capture(found, confidence, *_):
        raise Captured(found[0], confidence[0])

    heads.fast_rcnn_inference_GRiT = capture
    try:
        heads._forward_box({"p3": p3, "p4": p4, "p5": p5}, [proposals])
    except Captured as captured:
        found, confidence = captured.args
    finally:
        del heads.fast_rcnn_inference_GRiT
    clipped = PublishedBoxes(found)
    clipped.clip(shape)
    return clipped.tensor, confidence[:, 0]


def layers_of(model: nn.Module):
    return model.roi_heads.text_decoder.textual.transformer.encoder.layer


class Objects(nn.Module):
    """What has been seen never looks at words, so it is the same for every word: keys and values of all layers."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.heads = model.roi_heads

    def forward(self, p3, p4, p5, boxes):
        read = pooled((p3, p4, p5), boxes, self.heads.object_feat_pooler, 14)
        textual = self.heads.text_decoder.textual
        seen = textual.object_feature_projection(read.flatten(2).permute(0, 2, 1))
        keys, values = [], []
        for layer in textual.transformer.encoder.layer:
            attention = layer.attention.self
            keys.append(attention.transpose_for_scores(attention.key(seen)))
            values.append(attention.transpose_for_scores(attention.value(seen)))
            seen = layer(seen, torch.zeros(1, 1, 1, 1))[0]
        return torch.stack(keys), torch.stack(values)


def remembered(model: nn.Module, features: torch.Tensor, tokens: torch.Tensor):
    """Keys and values of what is seen, and the scores of the next token, as the published decoder computes them."""
    textual = model.roi_heads.text_decoder.textual
    caught: dict[int, list[torch.Tensor]] = {}
    hooks = []
    for layer in layers_of(model):
        attention = layer.attention.self
        for part in (attention.key, attention.value):
            keep = lambda module, _, out, a=attention: caught.setdefault(id(module), []).append(
                a.transpose_for_scores(out[:, : features.shape[1]])
            )
            hooks.append(part.register_forward_hook(keep))
    logits = textual(features, tokens)[:, -1].float()
    for hook in hooks:
        hook.remove()
    both = [layer.attention.self for layer in layers_of(model)]
    keys = torch.stack([caught[id(each.key)][0] for each in both])
    values = torch.stack([caught[id(each.value)][0] for each in both])
    return keys, values, logits


def published_objects(model: nn.Module, p3, p4, p5, boxes):
    from detectron2.structures import Boxes as PublishedBoxes

    read = model.roi_heads.object_feat_pooler([p3, p4, p5], [PublishedBoxes(boxes)])
    features = read.flatten(2).permute(0, 2, 1).contiguous()
    keys, values, _ = remembered(model, features, torch.full((len(boxes), 1), 101))
    return keys, values


class Words(nn.Module):
    def __init__(self, model: nn.Module):
        super().__init__()
        self.textual = model.roi_heads.text_decoder.textual

    def forward(self, tokens, keys, values):
        textual = self.textual
        count, length = tokens.shape
        embedding = textual.embedding
        words = embedding.layer_norm(embedding.words(tokens) + embedding.positions(torch.arange(length))[None])
        later = torch.arange(length)[None, :] > torch.arange(length)[:, None]
        mask = torch.where(later, torch.tensor(float("-inf")), torch.tensor(0.0))
        mask = torch.cat([torch.zeros(length, keys.shape[3]), mask], dim=1)[None, None]
        for place, layer in enumerate(textual.transformer.encoder.layer):
            attention = layer.attention.self
            split = attention.transpose_for_scores
            key = torch.cat([keys[place], split(attention.key(words))], dim=2)
            value = torch.cat([values[place], split(attention.value(words))], dim=2)
            query = split(attention.query(words))
            shares = attention.qk2attn(query, key, mask, math.sqrt(attention.attention_head_size))
            context = torch.matmul(shares, value).permute(0, 2, 1, 3).flatten(2)
            seen = layer.attention.output(context, words)
            words = layer.output(layer.intermediate(seen), seen)
        return textual.output(words[:, -1])


def some_boxes(count: int, height: int, width: int) -> torch.Tensor:
    corner = torch.rand(count, 2) * torch.tensor([width * 0.7, height * 0.7])
    extent = torch.rand(count, 2) ** 2 * torch.tensor([width * 0.9, height * 0.9]) + 2
    return torch.cat([corner, torch.minimum(corner + extent, torch.tensor([float(width), float(height)]))], dim=1)


def some_features(height: int, width: int) -> tuple[torch.Tensor, ...]:
    return tuple(torch.randn(1, 256, height // stride, width // stride) for stride in (8, 16, 32))


MAPS = {name: {2: f"height{name[1]}", 3: f"width{name[1]}"} for name in POOLED}


def features(source: Source) -> Graph:
    model = model_of(source)
    inputs = [(torch.randn(1, 3, h, w),) for h, w in ((160, 224), (96, 96), (256, 160))]
    outputs = [*POOLED, *(name for level in "34567" for name in (f"boxes{level}", f"scores{level}"))]
    dynamic = {"pixels": {2: "height", 3: "width"}, **MAPS}
    for level in "34567":
        dynamic[f"boxes{level}"] = dynamic[f"scores{level}"] = {0: f"count{level}"}
    published = lambda pixels: published_proposals(model, pixels)
    return Graph(Features(model, True), published, inputs, ["pixels"], outputs, dynamic)


def boxes(source: Source) -> Graph:
    model = model_of(source)
    inputs = []
    for count, height, width in ((40, 160, 224), (7, 256, 160)):
        size = torch.tensor([height - 10.0, width - 3.0])
        inputs.append((*some_features(height, width), some_boxes(count, height, width), torch.rand(count), size))
    names = [*POOLED, "proposals", "proposal_scores", "size"]
    dynamic = {**MAPS, **{name: {0: "count"} for name in ("proposals", "proposal_scores", "boxes", "scores")}}
    published = lambda *given: published_boxes(model, *given)
    return Graph(Boxes(model), published, inputs, names, ["boxes", "scores"], dynamic, limit=1e-3)


def objects(source: Source) -> Graph:
    model = model_of(source)
    inputs = [(*some_features(h, w), some_boxes(n, h, w)) for n, h, w in ((5, 160, 224), (3, 256, 160))]
    dynamic = {**MAPS, "boxes": {0: "count"}, "keys": {1: "count"}, "values": {1: "count"}}
    published = lambda *given: published_objects(model, *given)
    return Graph(Objects(model), published, inputs, [*POOLED, "boxes"], ["keys", "values"], dynamic)


def words(source: Source) -> Graph:
    model = model_of(source)
    inputs, answers = [], {}
    with torch.no_grad():
        for count, length in ((4, 3), (2, 1), (1, 17)):
            tokens = torch.randint(1000, 30000, (count, length))
            keys, values, logits = remembered(model, torch.randn(count, 196, 256), tokens)
            inputs.append((tokens, keys, values))
            answers[id(tokens)] = logits
    dynamic = {"tokens": {0: "count", 1: "length"}, "logits": {0: "count"}}
    dynamic |= {"keys": {1: "count"}, "values": {1: "count"}}
    published = lambda tokens, *_: answers[id(tokens)]
    return Graph(Words(model), published, inputs, ["tokens", "keys", "values"], ["logits"], dynamic)
